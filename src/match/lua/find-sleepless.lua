-- Which games have no clock in a queue that will strike by itself: it is not there, or in other hands.
-- KEYS[1] the queue's delayed jobs
-- ARGV[1] what the keys of its jobs begin with  ARGV[2…] the ids of the games
-- Replies: their places, from 1

local sleepless = {}
for place = 1, #ARGV - 1 do
  local id = ARGV[place + 1]
  local sleeps = redis.call('ZSCORE', KEYS[1], id) and redis.call('EXISTS', ARGV[1] .. id) == 1
  if not sleeps then sleepless[#sleepless + 1] = place end
end
return sleepless
