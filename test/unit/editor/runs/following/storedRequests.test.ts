import assert from 'node:assert/strict';
import type { WorkflowRunRequest } from '#contract/workflows.ts';
import { StoredRequests } from '#editor/runs/following/storedRequests.ts';
import type { RunRecord } from '#runs/runTypes.ts';
import { runInUntrustedWorkspace } from '../../../../support/editor/untrusted.ts';

const place = `\${env:KEPT_TOKEN}`;
const gone = `\${env:KEPT_GONE}`;
const record = { key: 'k1', agent: 'asks' } as RunRecord;

/** Stores the request of a run. `places` contains the placeholders in its strings that replace secrets. */
function storeRequest(inputs: Readonly<Record<string, unknown>>, places: readonly string[]) {
	const request: WorkflowRunRequest = { model: 'asks', inputs, response_mode: 'streaming', user: 'ana' };
	return new StoredRequests({ readRequest: async () => request, readSecretPlaces: async () => new Set(places) });
}

describe('a stored request that is sent again', () => {
	before(() => {
		process.env['KEPT_TOKEN'] = 'tok-4711';
	});
	after(() => {
		delete process.env['KEPT_TOKEN'];
	});

	it('reads the environment variables of its run file again, and keeps their values secret', async () => {
		const { request, secrets } = await storeRequest({ header: `Bearer ${place}` }, [place]).refillRequest(record);
		assert.equal(request.inputs['header'], 'Bearer tok-4711');
		assert.deepEqual([...secrets], [['tok-4711', place]]);
	});

	it("doesn't read a variable for a string that only looks like a placeholder", async () => {
		const { request, secrets } = await storeRequest({ text: `Explain ${place}` }, []).refillRequest(record);
		assert.equal(request.inputs['text'], `Explain ${place}`);
		assert.equal(secrets.size, 0);
	});

	it('has secrets that another run can use, even if none is in its request', async () => {
		assert.deepEqual([...(await storeRequest({}, [place]).refillStart(record)).secrets], [['tok-4711', place]]);
		assert.deepEqual([...(await storeRequest({ text: place }, []).refillStart(record)).secrets], []);
	});

	it('names a variable that no longer exists', async () => {
		await assert.rejects(storeRequest({ header: gone }, [gone]).refillRequest(record), /\$\{env:KEPT_GONE\}' has no value/);
	});

	it("reads no variables in a workspace that isn't trusted", async () => {
		await runInUntrustedWorkspace(() =>
			assert.rejects(storeRequest({ header: place }, [place]).refillRequest(record), /untrusted workspace/),
		);
	});
});
