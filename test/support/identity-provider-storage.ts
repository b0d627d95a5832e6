// The memory of the tests' OpenID Connect provider. Its own one is for quick starts and warns on each start.
import type { Adapter, AdapterFactory, AdapterPayload } from 'oidc-provider';

/** @returns storage for one provider, in the form that `oidc-provider` asks for */
export function memoryAdapter(): AdapterFactory {
  const models = new Map<string, Map<string, AdapterPayload>>();
  return (model): Adapter => {
    const stored = models.get(model) ?? new Map<string, AdapterPayload>();
    models.set(model, stored);
    const findBy = async (field: 'uid' | 'userCode', value: string) =>
      stored.values().find((payload) => payload[field] === value);
    return {
      upsert: async (id, payload) => void stored.set(id, payload),
      find: async (id) => stored.get(id),
      findByUid: (uid) => findBy('uid', uid),
      findByUserCode: (code) => findBy('userCode', code),
      consume: async (id) => {
        const payload = stored.get(id);
        if (payload) stored.set(id, { ...payload, consumed: true });
      },
      destroy: async (id) => void stored.delete(id),
      revokeByGrantId: async (grantId) => {
        for (const [id, payload] of stored) if (payload.grantId === grantId) stored.delete(id);
      },
    };
  };
}
