-- Lets one worker at a time write the judged answers; who stops saying so loses the turn.
-- KEYS[1] whose turn it is
-- ARGV[1] the worker  ARGV[2] for how long, ms
-- Replies: 'mine' | 'taken'

local holder = redis.call('GET', KEYS[1])
if holder and holder ~= ARGV[1] then return 'taken' end
redis.call('SET', KEYS[1], ARGV[1], 'PX', ARGV[2])
return 'mine'
