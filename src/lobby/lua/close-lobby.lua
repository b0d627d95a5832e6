-- Announces, once, that a lobby is closed. Its log stays for clients that come back late.
-- KEYS[1] lobby  KEYS[2] log  KEYS[3] channel  KEYS[4] sockets
-- ARGV[1] time to live, ms  ARGV[2] the lobby:closed, JSON

if redis.call('HSETNX', KEYS[1], 'closed', 1) == 0 then return end
redis.call('DEL', KEYS[4])
set_screen(append_event(ARGV[2], now_ms(), ARGV[1]))
