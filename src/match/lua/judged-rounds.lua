-- Shared by the scripts that read the judged rounds of a game whose result will be stored.
-- match: the key of the match (hash)  rounds: the key of the judged rounds (list)
-- Returns the rounds, each as JSON. The keys no longer expire until the result is stored, since PostgreSQL may be
-- away for longer than their time to live. [contract 5.7]

local function read_rounds(match, rounds)
  redis.call('PERSIST', match)
  redis.call('PERSIST', rounds)
  return redis.call('LRANGE', rounds, 0, -1)
end
