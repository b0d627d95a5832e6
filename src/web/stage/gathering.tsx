// Before the game, for a whole room: how to get in, and who has.
import type { Lobby } from '../../lobby/schema.ts';
import { useInvitationUrl } from '../components/invitation.tsx';
import QrCode from '../components/qr-code.tsx';
import { useArrivals } from '../components/waiting-room.tsx';
import { useI18n } from '../i18n/index.tsx';
import { useUser } from '../session.tsx';
import { Scene } from './scene.tsx';

/** Up to so many names are written so large. */
const SIZES: [upTo: number, size: string][] = [
  [12, 'few'],
  [30, 'some'],
  [60, 'many'],
];

export function Gathering({ lobby }: { lobby: Lobby }) {
  const { t } = useI18n();
  const user = useUser();
  useArrivals(lobby, user.id);
  const url = useInvitationUrl(lobby.code);
  // Who has just come is read first.
  const players = lobby.players.filter(({ plays }) => plays).toReversed();
  const size = SIZES.find(([upTo]) => players.length <= upTo)?.[1] ?? 'crowd';
  return (
    <Scene name={`gathering gathering-${size}`} title={t.stage.join}>
      <div class="way-in">
        <QrCode text={url} label={t.qrCode} />
        <div>
          <p class="stage-address">{new URL(url).host}</p>
          <p class="hint">{t.lobbyCode}</p>
          <p class="stage-code">{lobby.code}</p>
        </div>
      </div>
      <div class="who">
        <h2>{players.length > 0 ? t.stage.players(players.length) : t.stage.nobodyYet}</h2>
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
