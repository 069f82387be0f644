import assert from 'node:assert/strict';
import { cleanUp, startGateway } from '../contract/gateway/gatewayProcess.ts';

describe('a gateway without attackers', () => {
	afterEach(cleanUp);

	it('answers its health check, and ends on request', async () => {
		const gateway = await startGateway({});
		assert.equal((await fetch(new URL('/healthz', gateway.baseUrl))).status, 200);
		assert.equal(await gateway.end('SIGTERM'), 0);
	});
});
