import assert from 'node:assert/strict';
import type { LoadedAgent } from '#engine/agentFile/agentTypes.ts';
import { AgentSecrets, MissingSecret } from '#gateway/agents/agentSecrets.ts';

/** Creates an agent with a secret that has this value in its file. */
function createAgentWith(value: string): LoadedAgent {
	return { environment: { TOKEN: value }, secretNames: ['TOKEN'] } as Partial<LoadedAgent> as LoadedAgent;
}

describe('secrets from environment variables', () => {
	const fromVariable = createAgentWith(`\${env:SHOP_TOKEN}`);
	const createSecrets = (environment: Readonly<Record<string, string>>, allowed: readonly string[] = ['SHOP_*']) =>
		new AgentSecrets({ configured: new Map(), allowed, environment, log: { addSecret: () => {} } });
	const readToken = (secrets: AgentSecrets, isReplay: boolean) =>
		secrets.fillSecrets('shop', undefined, fromVariable, isReplay).environment['TOKEN'];

	it('are used in a replay too, because code may compute a request from them', () => {
		const secrets = createSecrets({ SHOP_TOKEN: 'sk-current' });
		assert.deepEqual([readToken(secrets, false), readToken(secrets, true)], ['sk-current', 'sk-current']);
	});

	it('are only missing without harm in a replay', () => {
		for (const secrets of [createSecrets({}), createSecrets({ SHOP_TOKEN: 'sk-current' }, [])]) {
			assert.throws(() => readToken(secrets, false), MissingSecret);
			assert.match(String(readToken(secrets, true)), /^recorded-secret-/);
		}
	});
});
