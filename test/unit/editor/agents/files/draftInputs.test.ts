import assert from 'node:assert/strict';
import type { AgentSummary } from '#contract/agents.ts';
import { chooseDraftInputs, type LastInputs } from '#editor/agents/files/draftInputs.ts';
import type { Connection } from '#editor/connections/connectionTypes.ts';
import type { RunFileService } from '#editor/runs/files/runFileService.ts';
import type { RunRecord } from '#runs/runTypes.ts';
import { answerDialogs } from '../../../../support/editor/answers.ts';

describe('inputs of a draft', () => {
	const connection = { id: 'built-in', name: 'Gateway', kind: 'built-in', user: 'ana' } as unknown as Connection;
	const service = {} as RunFileService;
	const variable = { variable: 'text', label: 'Text', type: 'paragraph', required: true };
	const agent = { name: 'summarize', variables: [variable] } as unknown as AgentSummary;
	const request = { model: 'summarize', inputs: { text: 'Long ago' }, response_mode: 'streaming', user: 'ana' } as const;
	const last: LastInputs = {
		record: { key: 'k1', file: 'file:///a.run.json' } as RunRecord,
		request,
		refill: async () => ({ request, secrets: new Map([['s', 'place']]) }),
	};
	let opened = 0;
	const chooseInputs = async (of: AgentSummary, from: LastInputs | undefined, answers: Parameters<typeof answerDialogs>[0]) => {
		let chosen: Awaited<ReturnType<typeof chooseDraftInputs>>;
		await answerDialogs(answers, async () => {
			chosen = await chooseDraftInputs(of, connection, service, from, async () => {
				opened++;
			});
		});
		return chosen;
	};

	it('offers the last inputs first', async () => {
		const chosen = await chooseInputs(agent, last, { picks: ['Use last inputs'] });
		assert.deepEqual(chosen, { request, secrets: new Map([['s', 'place']]), file: 'file:///a.run.json', repeats: 'k1' });
	});

	it('asks for values if the user wants other inputs or there is no earlier run', async () => {
		const others = await chooseInputs(agent, last, { picks: ['Enter inputs…'], texts: ['New'] });
		assert.deepEqual([others?.request.inputs, others?.repeats], [{ text: 'New' }, undefined]);
		const first = await chooseInputs(agent, undefined, { texts: ['First'] });
		assert.deepEqual(first?.request.inputs, { text: 'First' });
	});

	it('asks nothing if the agent has no inputs, and still records the run as a repeat', async () => {
		const chosen = await chooseInputs({ ...agent, variables: [] }, last, {});
		assert.deepEqual([chosen?.request.inputs, chosen?.repeats], [{}, 'k1']);
	});

	it('opens the form on request and starts no run', async () => {
		assert.equal(await chooseInputs(agent, last, { picks: ['Fill in a form…'] }), undefined);
		assert.equal(opened, 1);
	});
});
