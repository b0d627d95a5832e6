-- A game at one instant, with no more of its questions than the end of a phase needs.
-- KEYS[1] match  KEYS[2] questions (hash of round)
-- Replies: {fields and values of the match in turns, the open round's question, the next one's}

local round = tonumber(redis.call('HGET', KEYS[1], 'round') or 0)
return { redis.call('HGETALL', KEYS[1]),
  redis.call('HGET', KEYS[2], round), redis.call('HGET', KEYS[2], round + 1) }
