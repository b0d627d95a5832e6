-- Shared by the scripts that reply with a snapshot: the game at one instant, with the two questions that the
-- end of a phase needs.
-- match: the key of the match (hash)  questions: the key of the questions (hash by round)
-- Returns JSON: [fields and values of the match in turns, the question of the round or '', the next question or '']. A
-- hundred single texts would take the client twice as long to read.

local function snapshot(match, questions)
  local round = redis.call('HGET', match, 'round') or 0
  local question, following = unpack(redis.call('HMGET', questions, round, round + 1))
  return cjson.encode({ redis.call('HGETALL', match), question or '', following or '' })
end
