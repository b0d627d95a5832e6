-- Puts a clock that was taken up off to a deadline, unless others have hastened or taken it meanwhile.
-- KEYS[1] the queue's delayed jobs  KEYS[2] the clock's job
-- ARGV[1] its id  ARGV[2] its place in the order since it was taken up  ARGV[3] the deadline, ms
-- ARGV[4] what it carries from now on, JSON, or '' for the same

local score = redis.call('ZSCORE', KEYS[1], ARGV[1])
if not score then return end
if ARGV[4] ~= '' then redis.call('HSET', KEYS[2], 'data', ARGV[4]) end
if tonumber(score) == tonumber(ARGV[2]) then redis.call('ZADD', KEYS[1], score_of(ARGV[3]), ARGV[1]) end
