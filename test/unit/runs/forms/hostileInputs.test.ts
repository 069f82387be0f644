import assert from 'node:assert/strict';
import type { AgentSummary } from '#contract/agents.ts';
import type { WorkflowRunRequest } from '#contract/workflows.ts';
import type { Connections } from '#editor/connections/connectionTypes.ts';
import { saveAsRunFile } from '#editor/runs/files/newRunFile.ts';
import { StoredRequests } from '#editor/runs/following/storedRequests.ts';
import { InputRuns, type InputRunsParts } from '#editor/runs/inputs/inputRuns.ts';
import { type InputsTarget, parseInputsMessage } from '#pages/inputs/inputsMessages.ts';
import { toSubmittedInputs } from '#runs/forms/formAnswer.ts';
import { createInputFields } from '#runs/forms/inputFields.ts';
import type { RunRecord } from '#runs/runTypes.ts';
import { answerDialogs } from '../../../support/editor/answers.ts';

const target: InputsTarget = { connectionId: 'c1', agent: 'asks', agentFile: 'file:///work/agents/asks.yml' };
/** Names of properties that every object inherits. */
const names = ['constructor', 'toString', 'valueOf', 'hasOwnProperty'];
const hostile = [
	'<img src=x onerror=alert(1)>',
	'\u202e\u2066gpj.exe',
	'\u001b[31m\u0007',
	'{{#start.text#}} {{ 7*7 }}',
	'=HYPERLINK("http://x")',
	'\ud800 half',
	'a\0b',
	'x'.repeat(1_000_000),
];

function createInputRuns() {
	const sentRequests: WorkflowRunRequest[] = [];
	const variables = names.map(variable => ({ variable, label: variable, type: 'paragraph', required: false }));
	const parts = {
		connections: { get: () => ({ id: 'c1', name: 'Service', kind: 'gateway', user: 'ana' }) } as unknown as Connections,
		runs: { list: () => [] },
		requests: new StoredRequests({ request: async () => undefined } as never),
		describe: async () => ({ name: 'asks', variables, description: '' }) as unknown as AgentSummary,
		run: async (_: unknown, request: WorkflowRunRequest) => {
			sentRequests.push(request);
			return { key: 'k' } as RunRecord;
		},
	} as unknown as InputRunsParts;
	return { inputs: new InputRuns(parts), sentRequests };
}

/** Parses a message of the page like the host does. */
function sendInputs(values: object) {
	const message = parseInputsMessage(JSON.parse(JSON.stringify({ type: 'run', given: { values, files: {} } })));
	assert.equal(message?.type, 'run');
	return (message as Extract<typeof message, { type: 'run' }>).given;
}

describe('hostile text in an input form', () => {
	it('can be a variable name that every object inherits', async () => {
		const { inputs, sentRequests } = createInputRuns();
		const { fields, last } = await inputs.createForm(target);
		assert.deepEqual([fields.map(({ name }) => name), last], [names, {}]);
		await inputs.runForm(target, fields, sendInputs({ constructor: 'one' }), () => undefined);
		assert.deepEqual(sentRequests[0]?.inputs, { constructor: 'one' });
		const form = { inputs: fields.map(field => ({ ...field, value: 'first' })) } as unknown as Parameters<typeof toSubmittedInputs>[0];
		assert.deepEqual(toSubmittedInputs(form, { action: 'ok', values: {} }), Object.fromEntries(names.map(name => [name, 'first'])));
	});

	it('is sent unchanged as a value', async () => {
		const { inputs, sentRequests } = createInputRuns();
		const { fields } = await inputs.createForm(target);
		for (const value of [...hostile, '$' + '{env:HOME}', '$' + '{workspaceFolder}']) {
			await inputs.runForm(target, fields, { values: { toString: value }, files: {} }, () => undefined);
			assert.equal(sentRequests.at(-1)?.inputs['toString'], value);
		}
	});

	it('is refused in a run file that would replace it by an environment variable, a file or an input', async () => {
		const { inputs } = createInputRuns();
		const { fields } = await inputs.createForm(target);
		const getRefusal = async (work: () => Promise<unknown>) => {
			let error: Error | undefined;
			const shown = await answerDialogs({}, () => work().catch((thrown: Error) => (error = thrown)));
			assert.deepEqual(shown.saves, []);
			return error?.message ?? '';
		};
		for (const value of ['a $' + '{env:AWS_SECRET} b', '$' + '{workspaceFolder}', { deep: ['$' + '{input:word}'] }, { $file: '../key' }]) {
			const saveRunFile = () => inputs.saveForm(target, fields, { values: { toString: value }, files: {} });
			assert.match(await getRefusal(saveRunFile), /^'toString' contains (\$\{[^}]+\}|"\$file"), which a run file would replace/);
			const past = { model: 'asks', inputs: { note: value }, response_mode: 'streaming', user: 'ana' } as unknown as WorkflowRunRequest;
			assert.match(await getRefusal(() => saveAsRunFile(past)), /^'note' contains/);
		}
	});

	it('may contain placeholders for secrets in a run file', async () => {
		const { inputs } = createInputRuns();
		const error = await inputs
			.saveForm(target, [], { values: { key: 'Bearer $' + '{input:token:password}' }, files: {} })
			.catch((thrown: Error) => thrown.message);
		// the error of the next step shows that the placeholder was accepted
		assert.match(String(error), /Open a folder first/);
	});

	it('is accepted in 500 variables with defaults of any type, and in a select with 100,000 options', () => {
		const odd = [null, 5, true, [], { a: 1 }, '\0', undefined];
		const variables = Array.from({ length: 500 }, (_, place) => ({
			variable: `v${place}`,
			label: hostile[place % 7] ?? '',
			type: place === 0 ? 'select' : (['paragraph', 'checkbox', 'number', 'json_object', 'file-list', 'constructor'][place % 6] ?? ''),
			required: true,
			options: place === 0 ? Array.from({ length: 100_000 }, (_, option) => `option ${option}`) : [],
			default: odd[place % odd.length],
		}));
		const fields = createInputFields(variables as unknown as Parameters<typeof createInputFields>[0]);
		assert.deepEqual([fields.length, fields[0]?.options.length], [500, 100_000]);
		assert.ok(fields.every(({ kind, value }) => typeof kind === 'string' && typeof value === 'string'));
	});
});
