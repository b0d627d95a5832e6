// Who has joined a lobby, and who of them is here. A host can remove the others.
import type { Lobby } from '../../lobby/schema.ts';
import { useI18n } from '../i18n/index.tsx';
import { ConfirmButton } from './confirm-button.tsx';
import { Named } from './named.tsx';

/** So many stand closer together. */
const CROWD_FROM = 12;

interface PlayerListProps {
  lobby: Lobby;
  ownId: string;
  /** Given for a host alone. */
  onRemove?: ((userId: string) => void) | undefined;
}

export function PlayerList({ lobby, ownId, onRemove }: PlayerListProps) {
  const { t } = useI18n();
  const isCrowd = lobby.players.length > CROWD_FROM;
  const here = lobby.players.filter(({ connected }) => connected).length;
  const ownFirst = [...lobby.players].sort(
    (one, other) => Number(other.userId === ownId) - Number(one.userId === ownId),
  );
  return (
    <>
      <h2>{t.whoIsHere(here, lobby.capacity)}</h2>
      <ul class={isCrowd ? 'players players-many' : 'players'}>
        {ownFirst.map(({ userId, name, isHost, connected }) => (
          <li
            key={userId}
            class={`${connected ? 'is-here' : 'is-away'} ${userId === ownId ? 'is-own' : ''}`}
          >
            <span class="avatar" aria-hidden="true">
              {[...name][0]}
            </span>
            <span class="name">
              <bdi>{name}</bdi>
              {userId === ownId && <small> ({t.you})</small>}
              {isHost && <small class="tag">{t.host}</small>}
            </span>
            <small class="presence">{connected ? t.online : t.away}</small>
            {onRemove && userId !== ownId && (
              <ConfirmButton
                icon="cross"
                label={<Named text={t.hosting.remove} names={[name]} />}
                question={<Named text={t.hosting.removeAsk} names={[name]} />}
                consequence={t.hosting.removeMore}
                onConfirmed={() => onRemove(userId)}
              />
            )}
          </li>
        ))}
      </ul>
    </>
  );
}
