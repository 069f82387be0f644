import assert from 'node:assert/strict';
import type { DebugProtocol } from '@vscode/debugprotocol';
import { readPublishedTexts } from '#editor/debugger/publishedTexts.ts';
import { agentPath, agentText, DebugClient, toolPath } from './debugClient.ts';

/** The tool's published version. Its `rank` is one line lower than in the file, which has `later` instead of `spare`. */
const published = `# as it was published\n${agentText}`;
const edited = agentText
	.replaceAll('spare', 'later')
	.replace('target: end, sourceHandle: source }]', 'target: later, sourceHandle: source }]');

describe('running texts', () => {
	let client: DebugClient;
	beforeEach(() => {
		client = new DebugClient();
	});
	afterEach(() => {
		client.close();
		client.adapter.dispose();
	});

	const toolFrames = [
		{ kind: 'node', node: 'rank', title: 'Rank', agent: 'helper' },
		{ kind: 'agent', title: '', agent: 'helper' },
		{ kind: 'tool', node: 'end', title: 'Ask the helper' },
		{ kind: 'agent', title: 'sort' },
	] as const;

	async function waitForToolFrame(count = 1): Promise<DebugProtocol.StackFrame | undefined> {
		client.pauseBefore('rank', { branches: [{ id: 7, state: 'standing', frames: toolFrames }] });
		await client.event('stopped', count);
		return (await client.sendRequest<DebugProtocol.StackTraceResponse>('stackTrace', { threadId: 7 })).body.stackFrames[0];
	}

	it('are the published ones for tools: differences are reported and frames are shown in the running text', async () => {
		client.toolText = edited;
		client.published.set('helper', published);
		await client.startSession();
		assert.match(
			JSON.stringify(client.listEvents('output')[0]?.body),
			/'helper\.yml' differs from its published version\. The published version runs as a tool/,
		);
		const { body: set } = await client.setBreakpoints([13, 20], toolPath);
		assert.deepEqual(
			set.breakpoints.map(({ verified, line }) => [verified, line]),
			[
				[true, 11],
				[false, 20],
			],
		);
		assert.match(set.breakpoints[1]?.message ?? '', /'Spare' isn't in the published version of 'helper'/);
		const frame = await waitForToolFrame();
		assert.deepEqual([frame?.source?.name, frame?.source?.path, frame?.line], ['helper.yml (running version)', toolPath, 12]);
		const { body } = await client.sendRequest<DebugProtocol.SourceResponse>('source', { source: frame?.source });
		assert.equal(body.content, published);
		// a breakpoint set in the running text refers to the same node
		const shown = await client.sendRequest<DebugProtocol.SetBreakpointsResponse>('setBreakpoints', {
			source: frame?.source,
			breakpoints: [{ line: 13 }],
		});
		assert.deepEqual([shown.body.breakpoints[0]?.verified, shown.body.breakpoints[0]?.line], [true, 12]);
		assert.deepEqual((client.asked.at(-1) as { breakpoints?: object[] }).breakpoints?.at(-1), { id: '3', node: 'rank', agent: 'helper' });
	});

	it('show frames in the file again once the texts are equal, and report when they differ again', async () => {
		client.toolText = published;
		client.published.set('helper', published);
		await client.startSession();
		assert.equal((await waitForToolFrame())?.source?.sourceReference, undefined);
		// the first message says what runs
		const listMessages = () => client.listEvents('output').slice(1);
		assert.deepEqual(listMessages(), []);
		client.editTool(edited);
		await client.event('invalidated');
		assert.match(JSON.stringify(listMessages()[0]?.body), /differs from its published version/);
		assert.equal((await waitForToolFrame(2))?.source?.sourceReference, 2);
		client.editTool(published);
		await client.event('invalidated', 2);
		assert.equal((await waitForToolFrame(3))?.source?.sourceReference, undefined);
		assert.equal(listMessages().length, 1);
	});

	it('are the same as a file that is not open and has a byte order mark or other line ends', async () => {
		client.toolText = `\uFEFF${published.replaceAll('\n', '\r\n')}`;
		client.published.set('helper', published);
		await client.startSession();
		const frame = await waitForToolFrame();
		assert.deepEqual([frame?.source?.name, frame?.source?.sourceReference], ['helper.yml', undefined]);
		assert.equal(client.listEvents('output').length, 1, 'only what runs');
	});

	it('are two for an agent that calls itself: the draft outside, the published version inside', async () => {
		client.published.set('sort', published);
		await client.startSession();
		const frames = toolFrames.map(frame => ('agent' in frame ? { ...frame, agent: 'sort' } : frame));
		client.pauseBefore('rank', { branches: [{ id: 7, state: 'standing', frames }] });
		await client.event('stopped');
		const { body } = await client.sendRequest<DebugProtocol.StackTraceResponse>('stackTrace', { threadId: 7 });
		assert.deepEqual(
			body.stackFrames.map(({ source, line }) => [source?.path, source?.sourceReference, line]),
			[
				[agentPath, 2, 12],
				[agentPath, 2, 1],
				[agentPath, undefined, 15],
				[agentPath, undefined, 1],
			],
		);
	});

	it('are read for all agents used as tools, directly or indirectly, and for no others', async () => {
		const createAgentWithTools = (...names: string[]) =>
			JSON.stringify({
				app: { mode: 'workflow', name: 'c' },
				nodes: names.map(name => ({ data: { type: 'tool', provider_type: 'workflow', provider_id: name } })),
			});
		const texts: Record<string, string> = {
			a: createAgentWithTools('b', 'a', 'gone'),
			b: createAgentWithTools('a'),
			c: createAgentWithTools(),
		};
		const asked: string[] = [];
		const found = await readPublishedTexts(createAgentWithTools('a', 'nowhere'), ['a', 'b', 'c', 'gone'], async name => {
			asked.push(name);
			if (name === 'gone') {
				throw new Error('no');
			}
			return texts[name] ?? null;
		});
		assert.deepEqual(
			[[...found.keys()], asked],
			[
				['a', 'b'],
				['a', 'b', 'gone'],
			],
		);
		const cyclic = 'a: &x { type: workflow, provider: a, again: *x }';
		assert.deepEqual([...(await readPublishedTexts(cyclic, ['a'], async () => null)).keys()], []);
	});
});
