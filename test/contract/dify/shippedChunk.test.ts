import assert from 'node:assert/strict';
import { createRequire } from 'node:module';
import { createAgentText, createDeviceSession, startTrackedDeployment, stopDeployments } from './managed.ts';

const require = createRequire(import.meta.url);

describe('dist/difyClient.cjs', () => {
	after(stopDeployments);

	it('manages a deployment', async () => {
		const { difyClient } = require('../../../dist/difyClient.cjs') as typeof import('#client/dify/difyClient.ts');
		const fake = await startTrackedDeployment({ release: '1.18.0' });
		fake.addApp(createAgentText());
		const network = { environment: {} };
		const deployment = await difyClient.detectDeployment(fake.origin, { network });
		const management = difyClient.openManagement({ deployment, session: createDeviceSession(fake), network, onSession() {} });
		assert.deepEqual(
			(await management.apps({ page: 1 })).apps.map(({ name }) => name),
			['Hello'],
		);
	});
});
