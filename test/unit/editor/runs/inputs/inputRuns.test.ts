import assert from 'node:assert/strict';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import * as vscode from 'vscode';
import type { AgentParameters, AgentSummary } from '#contract/agents.ts';
import type { WorkflowRunRequest } from '#contract/workflows.ts';
import type { Connections } from '#editor/connections/connectionTypes.ts';
import { StoredRequests } from '#editor/runs/following/storedRequests.ts';
import { InputRuns, type InputRunsParts } from '#editor/runs/inputs/inputRuns.ts';
import type { InputsTarget } from '#pages/inputs/inputsMessages.ts';
import type { RunRecord } from '#runs/runTypes.ts';
import { answerDialogs } from '../../../../support/editor/answers.ts';

const text = { variable: 'text', label: 'Text', type: 'paragraph', required: true };
const paper = { variable: 'paper', label: 'Paper', type: 'file', required: false };
const draft: InputsTarget = { connectionId: 'c1', agent: 'asks', agentFile: 'file:///work/agents/asks.yml' };
const published: InputsTarget = { connectionId: 'c1', agent: 'asks' };
const notFound = Object.assign(new Error('No such route'), { reason: 'not-found' });

/** Simulates the data sources of forms. `parameters` is the service's response, or its error. */
function createSources({
	parameters = {} as AgentParameters | Error,
	listed = [] as Partial<AgentSummary>[],
	last = undefined as WorkflowRunRequest | undefined,
} = {}) {
	const uploaded: string[] = [];
	const begun: { request: WorkflowRunRequest; repeats: string | undefined; file: string | undefined }[] = [];
	const client = {
		getAgentParameters: async () => {
			if (parameters instanceof Error) {
				throw parameters;
			}
			return parameters;
		},
		uploadFile: async ({ name }: { name: string }) => {
			uploaded.push(name);
			return { id: `id-${name}` };
		},
	};
	const connection = { id: 'c1', name: 'Service', kind: 'gateway', user: 'ana' };
	const record = { key: 'k1', connectionId: 'c1', agent: 'asks', draft: true, agentFile: draft.agentFile } as RunRecord;
	const parts = {
		connections: {
			get: () => connection,
			listAgents: async () => listed,
			getClient: async () => client,
			toProblem: (_: string, error: unknown) => error,
		} as unknown as Connections,
		runs: { list: () => (last ? [record] : []) },
		requests: new StoredRequests({ readRequest: async () => last } as never),
		describe: async () => ({ name: 'asks', variables: [text, paper], description: '' }) as unknown as AgentSummary,
		run: async (_: unknown, request: WorkflowRunRequest, { repeats }: { repeats?: string }, file: vscode.Uri | undefined) => {
			begun.push({ request, repeats, file: file?.toString() });
			return record;
		},
	} as unknown as InputRunsParts;
	return { inputs: new InputRuns(parts), uploaded, begun };
}

describe('the host side of input forms', () => {
	it('shows the fields of an agent file with the last inputs of its draft', async () => {
		const last: WorkflowRunRequest = { model: 'asks', inputs: { text: 'Long ago' }, response_mode: 'streaming', user: 'ana' };
		const form = await createSources({ last }).inputs.createForm(draft);
		assert.deepEqual([form.fields.map(({ name }) => name), form.last], [['text', 'paper'], { text: 'Long ago' }]);
		assert.deepEqual(
			(await createSources({ last, listed: [{ name: 'asks', mode: 'workflow', variables: [text] }] }).inputs.createForm(published)).last,
			{},
			'a draft is another agent than what is published',
		);
	});

	it('reads the inputs of a published agent from its parameters, or else from the list of agents', async () => {
		const reported = createSources({ parameters: { user_input_form: [{ paragraph: { variable: 'q', label: 'Question' } }] } });
		assert.deepEqual(
			(await reported.inputs.createForm(published)).fields.map(({ label }) => label),
			['Question'],
		);
		const listed = createSources({
			parameters: notFound,
			listed: [{ name: 'asks', mode: 'workflow', variables: [text], description: 'Asks' }],
		});
		const form = await listed.inputs.createForm(published);
		assert.deepEqual([form.fields.map(({ name }) => name), form.description], [['text'], 'Asks']);
		await assert.rejects(
			createSources({ parameters: notFound }).inputs.createForm(published),
			/'Service' doesn't report which inputs 'asks' has/,
		);
	});

	it('uploads files when it starts a run, and repeats the last run if the inputs are the same', async () => {
		const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'inputs-'));
		const file = path.join(folder, 'a.md');
		fs.writeFileSync(file, '# A');
		const last: WorkflowRunRequest = { model: 'asks', inputs: { text: 'Same' }, response_mode: 'streaming', user: 'ana' };
		const { inputs, uploaded, begun } = createSources({ last });
		const { fields } = await inputs.createForm(draft);
		const local = { name: 'a.md', size: 3, uri: vscode.Uri.file(file).toString() };
		await inputs.runForm(draft, fields, { values: { text: 'Same' }, files: { paper: [local] } }, () => undefined);
		await inputs.runForm(draft, fields, { values: { text: 'Same' }, files: {} }, () => undefined);
		fs.rmSync(folder, { recursive: true });
		assert.deepEqual(uploaded, ['a.md']);
		assert.deepEqual(begun[0]?.request.inputs, {
			text: 'Same',
			paper: { type: 'document', transfer_method: 'local_file', upload_file_id: 'id-a.md' },
		});
		assert.deepEqual(
			begun.map(({ repeats, file }) => [repeats, file]),
			[
				[undefined, draft.agentFile],
				['k1', draft.agentFile],
			],
		);
	});

	it('asks again for a secret in the inputs of the last run', async () => {
		const { inputs, begun } = createSources();
		const { fields } = await inputs.createForm(draft);
		const given = { values: { text: `key \${input:token:password}` }, files: {} };
		await answerDialogs({ texts: ['s3cret-word'] }, () => inputs.runForm(draft, fields, given, () => undefined));
		assert.equal(begun[0]?.request.inputs['text'], 'key s3cret-word');
	});
});
