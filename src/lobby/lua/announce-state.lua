-- Announces the lobby if an earlier change has left a pending announcement, or in any case.
-- KEYS[1] lobby  KEYS[2] log  KEYS[3] channel
-- ARGV[1] time to live, ms  ARGV[2] 'due', if its time has come | 'pending', also before its time | 'always'

local pending, roster, closed = unpack(redis.call('HMGET', KEYS[1], 'announceAtMs', 'roster', 'closed'))
local now = now_ms()
local is_due = ARGV[2] == 'always' or (pending and (ARGV[2] == 'pending' or now >= tonumber(pending)))
if is_due and roster and not closed then append_lobby_state(now, ARGV[1]) end
