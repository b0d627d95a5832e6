-- Counts a request.
--
-- KEYS[1]  the counter
-- ARGV[1]  its window, ms
--
-- Replies { the count, what remains of the window in ms }.

return { count_one(KEYS[1], ARGV[1]) }
