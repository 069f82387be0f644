import assert from 'node:assert/strict';
import { cleanUp, startGateway } from '../contract/gateway/gatewayProcess.ts';

describe('a gateway that nobody attacks', () => {
	afterEach(cleanUp);

	it('answers its health check, and ends when it is told to', async () => {
		const gateway = await startGateway({});
		assert.equal((await fetch(new URL('/healthz', gateway.baseUrl))).status, 200);
		assert.equal(await gateway.end('SIGTERM'), 0);
	});
});
