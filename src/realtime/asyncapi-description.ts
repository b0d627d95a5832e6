// What no schema can say of the socket: how to connect, in what order things come, how to come back,
// what is refused. Paragraphs with `code` and **bold**, as /docs shows them.

export const DESCRIPTION = `Multiplayer games over one WebSocket at \`/ws\`: text frames of JSON, flat, discriminated by \`type\`. Accounts, lobbies and results are in \`/api/openapi.json\`.

**Connecting.** Send the session cookie. Without a valid session the upgrade is refused with 401, while sessions can't be checked with 500, while the replica is being stopped with 503. An \`Origin\` that is neither the service's own nor one of \`CORS_ORIGIN\` is refused with 403; no \`Origin\` at all, as from native clients, is fine. A plain GET gets 426.

**Playing.** Create or join a lobby over HTTP, then send \`lobby:join\`. In a waiting lobby everyone gets \`lobby:state\` whenever the players or who is connected change; the host sends \`lobby:start\`. Each round is a \`game:question\`, answers to it by \`game:answer\`, and a \`game:answer_result\` when everybody has answered, when the last awaited player has left, or when its time is up by the service's clock. After the last result comes \`game:finished\`, when the result is stored. Nothing is sent when an answer is stored: the first stands, a second is refused.

**Players.** Players are the members who are connected at the start, and those who enter later, with 0 points so far. Who disconnects stays a player and is waited for until the deadline; who sends \`lobby:leave\` is out, the score so far stays. A player is connected while any of the user's sockets is.

**Numbers.** Every message to a lobby is an event of it and carries \`seq\`: 1, 2, 3 … without a hole, the same on every replica. A socket gets every event once and in this order. What is sent to one socket alone, a snapshot, carries the \`seq\` of the last event that it already contains, and may repeat that one. \`error\` carries none.

**Coming back.** Reconnect, to any replica, and send \`lobby:join\` with \`since\`, the last \`seq\` seen: exactly the events after it follow. Without \`since\`, or where the log no longer reaches back (at least 100 events and ten minutes), a snapshot follows: \`lobby:state\`, then the open \`game:question\` or the \`game:finished\`. \`remainingMs\` is true at the moment of sending, in a replay and a snapshot too; count down from it, whatever the client's clock says. \`game:ready\` asks for what is on the screen now.

**Refusals.** Whatever is refused gets an \`error\` with the HTTP-like status as \`code\`, a stable \`reason\`, and the \`ref\` of the message if it had one; the connection stays open. \`lobby:start\` is refused in this order: \`NOT_IN_LOBBY\`, \`NOT_HOST\`, \`LOBBY_NOT_WAITING\`, \`NOT_ENOUGH_PLAYERS\`, then \`NO_MATCHING_TERMS\`, \`NOT_ENOUGH_TERMS\`, \`NOT_ENOUGH_DISTRACTORS\`.

**Limits.** At most 16 KiB a frame. At most 20 messages a second with a burst of 40 for each connection: over it an \`error\` 429, which says in \`retryAfterMs\` how long to wait. So is a \`lobby:join\` after too many codes, tried here or over HTTP, that led to no lobby of the user's: ten in a quarter of an hour are answered with 403 or 404, unless the service is configured otherwise; lobbies that one is a member of stay open. The service pings every 30 s and drops a peer that missed two, and one that does not read what it is sent.

**Close codes.** \`1008\`: too many messages, wait before you connect again. \`1009\`: a frame was too large. \`1012\`: the replica is being stopped, connect again at once and come back with \`since\`. \`4401\`: signed out, sign in first.`;
