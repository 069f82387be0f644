import assert from 'node:assert/strict';
import { SuiteServices } from '#editor/suites/suiteServices.ts';
import type { Suite } from '#suites/suite.ts';
import { runInUntrustedWorkspace } from '../../../support/editor/untrusted.ts';

describe('suites in an untrusted workspace', () => {
	it('get no service, so that nothing runs or is sent', async () => {
		const failOnAsk = () => assert.fail('asked for a connection');
		const services = new SuiteServices({ client: failOnAsk } as never, { connection: failOnAsk } as never, failOnAsk as never, {} as never);
		await runInUntrustedWorkspace(() =>
			assert.rejects(services.openService({ file: '/w/a.suite.json', cases: [] } as unknown as Suite), { reason: 'untrusted' }),
		);
	});
});
