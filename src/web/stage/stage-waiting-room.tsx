// A waiting lobby on a projector: how to join, and who has joined.
import type { Lobby } from '../../lobby/schema.ts';
import { useUser } from '../entry/session.tsx';
import { useI18n } from '../i18n/index.tsx';
import { useInvitationUrl } from '../lobby/invitation.tsx';
import { usePlayers } from '../lobby/use-players.ts';
import { useArrivals } from '../lobby/waiting-room.tsx';
import { QrCode } from '../ui/qr-code.tsx';
import { useWordsName } from '../words/names.ts';
import { Scene } from './scene.tsx';

/** The size of the names by their number. */
const SIZES: [upTo: number, size: string][] = [
  [12, 'few'],
  [30, 'some'],
  [60, 'many'],
];

export function StageWaitingRoom({ lobby }: { lobby: Lobby }) {
  const { t } = useI18n();
  const user = useUser();
  const wordsName = useWordsName();
  const known = usePlayers(lobby);
  useArrivals(known, lobby.capacity, user.id);
  const url = useInvitationUrl(lobby.code);
  // The newest player comes first.
  const players = known.filter(({ plays }) => plays).toReversed();
  const count = lobby.playerCount - lobby.players.filter(({ plays }) => !plays).length;
  const size = SIZES.find(([upTo]) => count <= upTo)?.[1] ?? 'crowd';
  return (
    <Scene
      name={`waiting-room names-${size}`}
      title={t.stage.join}
      aside={
        <p class="hint">
          <bdi>{wordsName(lobby.settings)}</bdi> · {t.rounds}: {lobby.settings.rounds}
        </p>
      }
    >
      <div class="way-in">
        <QrCode text={url} label={t.qrCode} />
        <div>
          <p class="stage-address">{new URL(url).host}</p>
          <p class="hint">{t.lobbyCode}</p>
          <p class="stage-code">{lobby.code}</p>
        </div>
      </div>
      <div class="who">
        <h2>{count > 0 ? t.stage.players(count) : t.stage.nobodyYet}</h2>
        <ul class="stage-names">
          {players.map(({ userId, name, connected }) => (
            <li key={userId} class={connected ? undefined : 'is-away'}>
              <bdi>{name}</bdi>
              {!connected && <span class="visually-hidden"> ({t.away})</span>}
            </li>
          ))}
        </ul>
      </div>
    </Scene>
  );
}
