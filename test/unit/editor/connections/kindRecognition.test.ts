import assert from 'node:assert/strict';
import { recognizeKind } from '#editor/connections/kindRecognition.ts';
import type { ServiceClients } from '#editor/connections/serviceClients.ts';

describe('the kind of a server with models at /v1/models', () => {
	const recognizeModels = (models: readonly object[]) => {
		const rejectRequest = async () => {
			throw Object.assign(new Error('no such path'), { reason: 'protocol' });
		};
		const client = {
			listMessagesModels: async () => models,
			listContentModels: rejectRequest,
			listLogs: rejectRequest,
			getAgentParameters: rejectRequest,
			close() {},
		};
		const clients = { createClient: async () => client } as unknown as Pick<ServiceClients, 'createClient'>;
		const entry = { id: 'i', name: 'n', kind: 'gateway', baseUrl: 'http://127.0.0.1:1' } as const;
		return recognizeKind(clients, entry, { messages: 'k' }, AbortSignal.timeout(60_000));
	};

	it('is recognized by the fields of its entries', async () => {
		assert.equal(await recognizeModels([{ id: 'a', object: 'model' }]), 'openai');
		assert.equal(await recognizeModels([{ id: 'a', type: 'model', display_name: 'A' }]), 'anthropic-compatible');
		assert.equal(await recognizeModels([]), 'anthropic-compatible');
	});
});
