// The client library checks a question's commitment before it passes on the result. [contract 12]
import { createHash } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { checkCommitment } from '../../src/client/commitment.ts';
import { commitmentOf, ID, NONCE, question, result, settle, useLobbyConnection } from '../support/live-connection.ts';

const { client, connect, newest, read } = useLobbyConnection();

describe('a commitment', () => {
  it('that matches causes no event', async () => {
    newest()
      .enter()
      .receive(question(2, commitmentOf(3)));
    newest().receive(result(3, 3, NONCE));
    newest().receive({ type: 'lobby:state', seq: 4, mark: '4', lobby: {} });
    await settle(() => client.lobby.position?.seq === 4);
    client.lobby.close();
    expect((await read()).types.slice(1)).toEqual(['game:question', 'game:answer_result', 'lobby:state']);
  });

  it.each([
    ['another answer', result(3, 2, NONCE)],
    ['another nonce', result(3, 3, 'other')],
    ['no nonce', result(3, 3)],
    ['another promise for the same question', question(3, commitmentOf(2))],
    ['no promise any more', question(3)],
  ])('that is broken by %s ends the connection with COMMITMENT_BROKEN', async (_, message) => {
    newest()
      .enter()
      .receive(question(2, commitmentOf(3)));
    newest().receive(message);
    const { types, error } = await read();
    expect(types).toEqual(['lobby:state', 'game:question']);
    expect(error).toMatchObject({ status: 0, code: 'COMMITMENT_BROKEN' });
  });

  it('is part of the position from which another connection continues', async () => {
    newest()
      .enter()
      .receive(question(2, commitmentOf(3)));
    await settle();
    client.lobby.close();
    const { position } = client.lobby;
    expect(position).toEqual(JSON.parse(JSON.stringify(position)));
    client.lobby = connect(position);
    newest().onopen?.();
    newest().receive(result(3, 2, NONCE));
    expect((await read()).error).toMatchObject({ code: 'COMMITMENT_BROKEN' });
  });

  it('is that of the right text where answers are typed [contract 20]', async () => {
    const opened = { questionId: ID, correctText: 'l’auto', nonce: NONCE };
    const commitment = createHash('sha256').update(`${ID}:l’auto:${NONCE}`).digest('base64url');
    await checkCommitment(commitment, opened);
    await expect(checkCommitment(commitment, { ...opened, correctText: 'auto' })).rejects.toMatchObject({
      code: 'COMMITMENT_BROKEN',
    });
  });
});
