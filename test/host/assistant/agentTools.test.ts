import assert from 'node:assert/strict';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import * as vscode from 'vscode';
import { ExplainRun } from '#editor/assistant/tools/explainRun.ts';
import { ListAgents } from '#editor/assistant/tools/listAgents.ts';
import { RunAgent } from '#editor/assistant/tools/runAgent.ts';
import type { ToolInput } from '#editor/assistant/tools/toolInput.ts';
import { runInUntrustedWorkspace } from '../../support/editor/untrusted.ts';
import { WindowUnderTest } from '../../support/editor/windowUnderTest.ts';
import { EventWriter, play, sendJson } from '../../support/services/faultService.ts';
import { GatewayProcess } from '../support/gatewayProcess.ts';

const createAgentFile = (mode: string, start: string, nodes: string, edges: string) => `app: {name: made, mode: ${mode}}
kind: app
version: "0.6.0"
workflow:
  graph:
    nodes:
      - {id: start, data: {type: start, title: Start, variables: [${start}]}}
${nodes}
    edges:
${edges}
`;
const createHalvingAgent = (code: string) =>
	createAgentFile(
		'workflow',
		'{variable: n, label: N, type: number, required: true}, {variable: how, label: How, type: select, required: false, options: [up, down]}',
		`      - {id: half, data: {type: code, title: Halve, code_language: javascript, variables: [{variable: n, value_selector: [start, n]}], outputs: {half: {type: number}}, code: "${code}"}}
      - {id: end, data: {type: end, title: End, outputs: [{variable: half, value_selector: [half, half]}]}}`,
		'      - {source: start, target: half}\n      - {source: half, target: end}',
	);
const broken = createHalvingAgent("function main({ n }) { throw new Error('no ' + n); }");
const repaired = createHalvingAgent('function main({ n }) { return { half: n / 2 }; }');
const parrot = createAgentFile(
	'advanced-chat',
	'',
	'      - {id: say, data: {type: answer, title: Say, answer: "You said {{#sys.query#}}"}}',
	'      - {source: start, target: say}',
);

type Report = Record<string, unknown> & { failed_nodes?: { title: string; inputs: unknown; error: string }[] };

const getResultText = (result: vscode.LanguageModelToolResult) =>
	result.content.map(part => (part instanceof vscode.LanguageModelTextPart ? part.value : '')).join('');
const parseReport = (result: vscode.LanguageModelToolResult) => JSON.parse(getResultText(result)) as Report;
const createToolOptions = (input: ToolInput, tokenBudget?: number): vscode.LanguageModelToolInvocationOptions<ToolInput> => ({
	input,
	toolInvocationToken: undefined,
	...(tokenBudget !== undefined && {
		tokenizationOptions: { tokenBudget, countTokens: async (text: string) => Math.ceil(text.length / 4) },
	}),
});
const never = new vscode.CancellationTokenSource().token;

describe("the tools for VS Code's agents", () => {
	const callTool = async (name: string, input: object) =>
		parseReport(await vscode.lm.invokeTool(`agentWorkbench_${name}`, createToolOptions(input as ToolInput)));
	const getRefusal = async (name: string, input: object) => {
		const error = await callTool(name, input).then(
			report => assert.fail(`got ${JSON.stringify(report)}`),
			(refused: Error) => refused,
		);
		return error.message;
	};

	it('have names that prompts can refer to', () => {
		const names = vscode.lm.tools.map(({ name }) => name).filter(name => name.startsWith('agentWorkbench_'));
		assert.deepEqual(names.sort(), [
			'agentWorkbench_checkAgentFile',
			'agentWorkbench_explainRun',
			'agentWorkbench_listAgents',
			'agentWorkbench_runAgent',
		]);
	});

	it('list the agents of the workspace with their inputs', async () => {
		const { servers } = (await callTool('listAgents', {})) as unknown as {
			servers: { server: string; agents: { agent: string; inputs: object[] }[] }[];
		};
		const agents = servers.find(({ server }) => server === 'Built-in gateway')?.agents ?? [];
		const summarize = agents.find(({ agent }) => agent === 'summarize');
		assert.deepEqual(
			summarize?.inputs.map(input => (input as { name: string }).name),
			['text', 'sentences'],
		);
		assert.match(
			await getRefusal('listAgents', { server: 'nowhere' }),
			/No connection named 'nowhere' for 'server'\. Expected one of Built-in gateway/,
		);
		assert.match(await getRefusal('listAgents', { server: 7 }), /'server' isn't a string/);
	});

	it('report problems of an agent file with their lines, but refuse files outside the workspace', async () => {
		const good = await callTool('checkAgentFile', { file: 'agents/summarize.yml' });
		assert.deepEqual([good['agent'], good['can_run'], good['mode']], ['summarize', true, 'workflow']);
		assert.match(await getRefusal('checkAgentFile', {}), /'file' is missing\. Expected the path of an agent file/);
		assert.match(await getRefusal('checkAgentFile', { file: '../outside.yml' }), /is outside the workspace folder/);
		assert.match(await getRefusal('checkAgentFile', { file: '/etc/passwd' }), /isn't an agent file/);
		assert.match(await getRefusal('checkAgentFile', { file: 'agents/none.yml' }), /no such file/);
	});

	it("refuse to explain a run that doesn't exist", async () => {
		assert.match(await getRefusal('explainRun', { run: 'no-such-run' }), /wasn't started in this editor/);
	});
});

describe('an agent run by a tool', () => {
	const folder = vscode.workspace.workspaceFolders?.[0]?.uri.fsPath ?? '';
	const file = path.join(folder, 'written-by-a-model.yml');
	let place: string;
	let gateway: GatewayProcess;
	let window: WindowUnderTest;
	let run: RunAgent;
	before(async () => {
		place = fs.mkdtempSync(path.join(os.tmpdir(), 'aw-tools-'));
		fs.mkdirSync(path.join(place, 'agents'));
		fs.writeFileSync(path.join(place, 'agents', 'halve.yml'), repaired);
		fs.writeFileSync(path.join(place, 'agents', 'parrot.yml'), parrot);
		gateway = await GatewayProcess.start(path.join(place, 'data'), path.join(place, 'agents'));
		window = new WindowUnderTest(gateway);
		await window.start();
		run = new RunAgent(window.connections, async () => window.createAssistantWork());
	});
	after(async () => {
		await window.dispose();
		await gateway.stop();
		fs.rmSync(place, { recursive: true, force: true });
		fs.rmSync(file, { force: true });
	});

	const runTool = async (input: ToolInput, budget?: number) => parseReport(await run.invoke(createToolOptions(input, budget), never));
	/** Writes to the disk like a model, and waits until the editor has read the file again. */
	const writeAgentFile = async (text: string) => {
		await vscode.workspace.fs.writeFile(vscode.Uri.file(file), new TextEncoder().encode(text));
		const document = await vscode.workspace.openTextDocument(vscode.Uri.file(file));
		if (document.getText() !== text) {
			const all = new vscode.Range(0, 0, document.lineCount, 0);
			const edit = new vscode.WorkspaceEdit();
			edit.replace(document.uri, all, text);
			await vscode.workspace.applyEdit(edit);
			await document.save();
		}
	};

	it('can be written, run, diagnosed, fixed and run again', async () => {
		await writeAgentFile(broken);
		const failed = await runTool({ agent: 'written-by-a-model.yml', inputs: { n: 8 } });
		assert.equal(failed['status'], 'failed', JSON.stringify(failed));
		assert.deepEqual(
			failed.failed_nodes?.map(({ title, inputs }) => ({ title, inputs })),
			[{ title: 'Halve', inputs: { n: 8 } }],
		);
		assert.match(failed.failed_nodes?.[0]?.error ?? '', /no 8/);
		const explained = await new ExplainRun(window.connections, window.records, async () => window.createAssistantWork()).invoke(
			createToolOptions({ run: failed['run'] }),
			never,
		);
		assert.deepEqual(parseReport(explained), { inputs: { n: 8 }, ...failed });
		await writeAgentFile(repaired);
		const succeeded = await runTool({ agent: file, inputs: { n: 8 } });
		assert.deepEqual([succeeded['status'], succeeded['outputs']], ['succeeded', { half: 4 }]);
		assert.equal(window.latest.draft, true, 'it stands in the history as any other');
	});

	it('is refused with the errors of its file before anything runs', async () => {
		const before = window.records.list().length;
		await writeAgentFile(repaired.replace('nodes:', 'nodes: ['));
		await assert.rejects(
			runTool({ agent: 'written-by-a-model.yml', inputs: { n: 8 } }),
			/'written-by-a-model\.yml' has errors and can't run\. .*:\d+: Invalid YAML/,
		);
		assert.equal(window.records.list().length, before);
	});

	it("is refused with the list of its inputs if they aren't valid", async () => {
		await assert.rejects(
			runTool({ agent: 'halve', inputs: { n: 'x', how: 'left', more: 1 } }),
			/'inputs\.n' is "x"\. Expected a number.*'inputs\.how' is "left".*'inputs\.more' isn't an input.*Inputs of 'halve': n \(a number, required\); how \(one of "up", "down"\)\./s,
		);
		await assert.rejects(runTool({ agent: 'halve', inputs: [] }), /'inputs' isn't an object/);
		await assert.rejects(runTool({ agent: 'halve', inputs: {} }), /'inputs\.n' is missing/);
		await assert.rejects(runTool({ agent: 'halve', inputs: { n: 1 }, query: 'hi' }), /isn't a chat agent/);
		await assert.rejects(runTool({ agent: 'helve', inputs: {} }), /No agent named 'helve'\. Expected one of halve, parrot/);
		await assert.rejects(runTool({ inputs: {} }), /'agent' is missing/);
	});

	it('is the published one, and the confirmation says that the first run publishes the file', async () => {
		const prepared = await run.prepareInvocation({ input: { agent: 'halve', inputs: { n: 2 } } });
		const message = (prepared.confirmationMessages!.message as vscode.MarkdownString).value;
		assert.match(prepared.confirmationMessages!.title, /Run agent 'halve' on 'Test gateway'\?/);
		assert.match(message, /isn't published yet/);
		assert.match(message, /```json\n\{\n {2}"n": 2\n\}\n```/);
		assert.deepEqual((await runTool({ agent: 'halve', inputs: { n: 2 } }))['outputs'], { half: 1 });
	});

	it('keeps a conversation if it is a chat agent, published or as a draft', async () => {
		await assert.rejects(runTool({ agent: 'parrot', inputs: {} }), /'parrot' is a chat agent\. Pass the message as 'query'/);
		const turn = await runTool({ agent: 'parrot', inputs: {}, query: 'hello' });
		assert.deepEqual([turn['status'], turn['answer']], ['succeeded', 'You said hello']);
		await writeAgentFile(parrot.replace('You said', 'I hear'));
		const draft = await runTool({ agent: 'written-by-a-model.yml', inputs: {}, query: 'hello' });
		assert.deepEqual([draft['status'], draft['outputs']], ['succeeded', { answer: 'I hear hello', files: [] }]);
	});

	it("doesn't run in an untrusted workspace", async () => {
		const before = window.records.list().length;
		await runInUntrustedWorkspace(async () => {
			await assert.rejects(runTool({ agent: 'halve', inputs: { n: 1 } }), /in a trusted workspace/);
			await assert.rejects(runTool({ agent: 'written-by-a-model.yml', inputs: {} }), /in a trusted workspace/);
			const listed = await new ListAgents(window.connections).invoke(createToolOptions({}), never);
			assert.match(getResultText(listed), /in a trusted workspace/);
		});
		assert.equal(window.records.list().length, before);
	});

	it('shows hostile text verbatim on its confirmation card', async () => {
		const prepared = await run.prepareInvocation({
			input: { agent: 'halve](command:evil) \u202e', inputs: { n: '```\n[click](command:evil)' }, query: '<b>hi</b>' },
		});
		const { title, message } = prepared.confirmationMessages!;
		const card = message as vscode.MarkdownString;
		assert.doesNotMatch(title, /\]\(command|\u202e/);
		assert.ok(!card.isTrusted && !card.supportHtml);
		assert.match(card.value, /\n````+json\n|\n```json\n\{\n {2}"n": "```\\n/, 'its fence is not ended by the text');
	});

	it("returns no secrets or data that the user can't see", async () => {
		const long = repaired.replace('half: {type: number}', 'half: {type: string}').replace('n / 2', "'word '.repeat(n)");
		await writeAgentFile(long);
		const result = getResultText(
			await run.invoke(createToolOptions({ agent: 'written-by-a-model.yml', inputs: { n: 10_000 } }, 2000), never),
		);
		assert.ok(result.length <= 8000, `${result.length}`);
		const { status, outputs } = JSON.parse(result) as { status: string; outputs: { half: string } };
		assert.equal(status, 'succeeded');
		assert.match(outputs.half, /^word word .*cut: the first/);
	});
});

describe('cancelling an agent run by a tool', () => {
	let window: WindowUnderTest;
	before(async () => {
		window = new WindowUnderTest();
		await window.start();
	});
	after(() => window.dispose());

	it('stops the run at its service, and ends the call when the run has ended', async () => {
		const cancel = new vscode.CancellationTokenSource();
		let writer: EventWriter | undefined;
		let status = 'running';
		const agent = {
			name: 'played',
			mode: 'workflow',
			description: '',
			published: true,
			draft: false,
			workflow_id: 'w',
			file: null,
			variables: [],
			error: null,
			updated_at: 1,
		};
		window.service.behaviour = {
			agents: response => sendJson(response, { data: [agent] }),
			run: async response => {
				writer = new EventWriter(response);
				await writer.sendEvents(play.started, play.nodeStarted(1));
				cancel.cancel();
			},
			detail: response => sendJson(response, play.detail(status)),
			stop: async response => {
				status = 'stopped';
				sendJson(response, { result: 'success' });
				await writer?.sendEvents(play.finished('stopped', null));
				writer?.endStream();
			},
		};
		const run = new RunAgent(window.connections, async () => window.createAssistantWork());
		const report = parseReport(await run.invoke(createToolOptions({ agent: 'played', inputs: { anything: 'goes' } }), cancel.token));
		assert.deepEqual([report['status'], report['run']], ['stopped', play.ids.workflow_run_id]);
		assert.ok(window.service.requests.some(request => request.endsWith(`/tasks/${play.ids.task_id}/stop`)));
		assert.equal(window.latest.status, 'stopped');
	});
});
