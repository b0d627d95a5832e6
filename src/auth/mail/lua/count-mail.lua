-- Counts a mail to a mailbox, once for each job, however many attempts the job takes.
--
-- KEYS[1]  the jobs that count: a set of their ids, which ends with the window
-- ARGV[1]  how many mails are allowed within a window, which begins with the first
-- ARGV[2]  the window in ms
-- ARGV[3]  the job's id
--
-- Replies 1 when the mail may be sent, otherwise 0.

if redis.call('SISMEMBER', KEYS[1], ARGV[3]) == 1 then return 1 end
if redis.call('SCARD', KEYS[1]) >= tonumber(ARGV[1]) then return 0 end
redis.call('SADD', KEYS[1], ARGV[3])
redis.call('PEXPIRE', KEYS[1], ARGV[2], 'NX')
return 1
