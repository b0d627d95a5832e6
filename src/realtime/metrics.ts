// What an operator wants to know of the sockets and of the fan-out.
import { counter, gauge, histogram } from '../platform/metrics.ts';

export const realtimeMetrics = {
  sockets: gauge('quiz_sockets', 'Open sockets of this replica.'),
  rooms: gauge('quiz_rooms', 'Lobbies with sockets on this replica.'),
  fanOutLag: histogram(
    'quiz_fan_out_lag_seconds',
    'From an event’s happening to its being sent to this replica’s sockets.',
    [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 1, 5],
  ),
  eventsRecovered: counter(
    'quiz_events_recovered_total',
    'Events that pub/sub lost and the log gave back.',
  ),
  resumes: counter('quiz_resumes_total', 'Sockets that came back with the last number they saw.'),
  snapshots: counter('quiz_snapshots_total', 'Snapshots sent.'),
  resyncs: counter('quiz_resyncs_total', 'Rooms whose log did not reach back any more.'),
  limited: counter(
    'quiz_sockets_limited_total',
    'Sockets refused because a user, or a client address, has too many.',
    ['limit'],
  ),
  refusals: counter('quiz_socket_refusals_total', 'Messages refused, by reason.', ['reason']),
  closures: counter('quiz_socket_closures_total', 'Sockets that this replica closed, by reason.', [
    'reason',
  ]),
};
