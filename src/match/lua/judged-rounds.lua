-- Shared by the scripts that read the judged rounds of a game whose result will be stored.
-- match: the key of the match (hash)  questions: the key of the questions (hash by round)
-- rounds: the key of the judgements (list)
-- Returns the questions and their judgements in turns, each as JSON. The keys no longer expire until the result is
-- stored, since PostgreSQL may be away for longer than their time to live. [contract 5.7]

local function read_rounds(match, questions, rounds)
  local read = {}
  for round, judgement in ipairs(redis.call('LRANGE', rounds, 0, -1)) do
    read[2 * round - 1] = redis.call('HGET', questions, round)
    read[2 * round] = judgement
  end
  for _, key in ipairs({ match, questions, rounds }) do redis.call('PERSIST', key) end
  return read
end
