-- Stores a lobby's roster and announces it to those who are connected. A roster that is not newer than the
-- known one changes nothing. The game's own messages announce that a game has begun or ended. [contract 10]
-- KEYS[1] lobby  KEYS[2] log  KEYS[3] channel
-- ARGV[1] time to live, ms  ARGV[2] the roster's version  ARGV[3] the roster as store_newer_roster takes it
-- ARGV[4] when to announce: 'changed', at once | 'soon', together with other changes
-- Replies: in how many milliseconds the caller has to announce the lobby, or 0; the connected users, JSON

local known, closed, connected = unpack(redis.call('HMGET', KEYS[1], 'version', 'closed', 'connected'))
connected = connected or '[]'
if closed then return { 0, connected } end
local is_newer, is_other = store_newer_roster(ARGV[2], ARGV[3])
if not is_newer then return { 0, connected } end
local is_waiting = redis.call('HGET', KEYS[1], 'status') == 'waiting'
-- A lobby that waits again no longer shows its last game. [contract 11]
if is_waiting then clear_screen() end
-- Nobody is connected to an empty lobby; the first member who enters it announces the roster.
local is_unheard = ARGV[4] == 'soon' and connected == '[]'
if not known or is_unheard or not (is_waiting or is_other) then
  redis.call('PEXPIRE', KEYS[1], ARGV[1])
  return { 0, connected }
end
if ARGV[4] == 'soon' then
  local _, delay_ms = announce_soon(now_ms(), ARGV[1])
  return { delay_ms, connected }
end
append_lobby_state(now_ms(), ARGV[1])
return { 0, connected }
