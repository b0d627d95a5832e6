-- Reads the judged rounds of a game whose result will be stored. Its keys no longer expire until that is
-- done, since PostgreSQL may be away for longer than their time to live. [contract 5.7]
-- KEYS[1] match  KEYS[2] judged rounds (list)
-- Replies: the rounds, each as JSON

if redis.call('HGET', KEYS[1], 'status') == 'finishing' then
  for _, key in ipairs(KEYS) do redis.call('PERSIST', key) end
end
return redis.call('LRANGE', KEYS[2], 0, -1)
