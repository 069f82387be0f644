import assert from 'node:assert/strict';
import type { DifyDataset } from '#gateway/knowledge/difyDataset.ts';
import { GatewayKnowledge } from '#gateway/knowledge/gatewayKnowledge.ts';

describe('a search in datasets', () => {
	it('asks a deployment once, however often an agent file names its dataset', async () => {
		let asked = 0;
		const remote: Pick<DifyDataset, 'retrieveSegments'> = {
			retrieveSegments: async () => {
				asked++;
				return [{ segment: { id: 's', content: 'The sea is wet.' }, score: 0.5 }];
			},
		};
		const dataset = { id: 'd', config: { name: 'sea' }, folder: undefined, remote };
		const knowledge = new GatewayKnowledge({ datasets: [dataset] } as unknown as ConstructorParameters<typeof GatewayKnowledge>[0]);
		const datasets = [...Array<string>(1000).fill('d'), 'sea'];
		const { items } = await knowledge.search({ text: 'sea', datasets, mode: 'multiple', topK: 4 }, new AbortController().signal);
		assert.deepEqual([asked, items.length], [1, 1]);
	});
});
