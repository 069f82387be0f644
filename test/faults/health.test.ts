import assert from 'node:assert/strict';
import { cleanUpGateways, startGateway } from '../contract/gateway/gatewayProcess.ts';

describe('a gateway without attackers', () => {
	afterEach(cleanUpGateways);

	it('answers its health check, and ends on request', async () => {
		const gateway = await startGateway({});
		assert.equal((await fetch(new URL('/healthz', gateway.baseUrl))).status, 200);
		assert.equal(await gateway.endProcess('SIGTERM'), 0);
	});
});
