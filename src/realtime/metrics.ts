// The metrics of the sockets and of the fan-out.
import { counter, gauge, histogram } from '../platform/observability/metrics.ts';

export const realtimeMetrics = {
  sockets: gauge('quiz_sockets', 'Open sockets of this replica, streams included.'),
  streams: gauge(
    'quiz_streams',
    'Open streams of this replica, which clients have whose WebSockets do not get through.',
  ),
  rooms: gauge('quiz_rooms', 'Lobbies with sockets on this replica.'),
  fanOutLag: histogram(
    'quiz_fan_out_lag_seconds',
    'From the publishing of an event to its sending to this replica’s sockets.',
    [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 1, 5],
  ),
  eventsRecovered: counter('quiz_events_recovered_total', 'Events that pub/sub lost and that were read from the log.'),
  resumes: counter('quiz_resumes_total', 'Joins that named the last event seen.'),
  snapshots: counter('quiz_snapshots_total', 'Snapshots sent.'),
  resyncs: counter(
    'quiz_resyncs_total',
    'Rooms whose sockets got a snapshot because the log did not go on from their last event.',
  ),
  limited: counter(
    'quiz_sockets_limited_total',
    'Upgrades refused because a user or a client address had too many sockets.',
    ['limit'],
  ),
  refusals: counter('quiz_socket_refusals_total', 'Messages refused, by reason.', ['reason']),
  closures: counter('quiz_socket_closures_total', 'Sockets that this replica closed, by reason.', ['reason']),
};
