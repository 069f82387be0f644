import assert from 'node:assert/strict';
import type { DebugProtocol } from '@vscode/debugprotocol';
import type { DebugBranch, DebugCommand } from '#contract/debugging.ts';
import { agentPath, DebugClient } from '../editor/debugger/debugClient.ts';

describe('debugger references while a run is paused', () => {
	let client: DebugClient;
	beforeEach(() => {
		client = new DebugClient();
	});
	afterEach(() => {
		client.close();
		client.adapter.dispose();
	});

	const createBranch = (id: number, node: string, state: DebugBranch['state'] = 'standing'): DebugBranch => ({
		id,
		state,
		frames: [
			{ kind: 'node', node, title: node },
			{ kind: 'agent', title: 'sort' },
		],
	});

	async function stopAtBranches(branches: readonly DebugBranch[], count: number): Promise<void> {
		client.pauseBefore('rank', { branches });
		await client.event('stopped', count);
	}

	const getFrame = async (threadId: number) =>
		(await client.sendRequest<DebugProtocol.StackTraceResponse>('stackTrace', { threadId })).body.stackFrames[0]?.id as number;

	const getScope = async (frameId: number) =>
		(await client.sendRequest<DebugProtocol.ScopesResponse>('scopes', { frameId })).body.scopes[0]?.variablesReference as number;

	const createValue = (text: string, type: string, more: object = {}) => ({
		name: 'v',
		text,
		type,
		children: 0,
		settable: true,
		path: ['inputs', 'v'],
		...more,
	});

	it('stay valid when another branch stops, and become invalid when their branch moves on', async () => {
		await client.startSession();
		client.createResponse = ({ command }) =>
			command === 'scopes'
				? { scopes: [{ name: 'Inputs', path: ['inputs'], children: 1 }] }
				: { variables: [createValue('1', 'number')], total: 1 };
		await stopAtBranches([createBranch(7, 'rank'), createBranch(8, 'start', 'ending')], 1);
		const [stays, moves] = [await getFrame(7), await getFrame(8)];
		const [kept, lost] = [await getScope(stays), await getScope(moves)];
		await stopAtBranches([createBranch(7, 'rank'), createBranch(8, 'end')], 2);
		assert.deepEqual([await getFrame(7), await getScope(stays)], [stays, kept]);
		assert.equal((await client.sendRequest('variables', { variablesReference: kept })).success, true);
		const refused = await client.sendRequest('variables', { variablesReference: lost });
		assert.deepEqual([refused.success, (await client.sendRequest('scopes', { frameId: moves })).success], [false, false]);
		const fresh = await getFrame(8);
		assert.ok(![stays, moves].includes(fresh) && ![kept, lost].includes(await getScope(fresh)));
	});

	it('become invalid when the run continues, even if it stops at the same node again', async () => {
		await client.startSession();
		client.createResponse = () => ({ scopes: [{ name: 'Inputs', path: ['inputs'], children: 1 }] });
		await stopAtBranches([createBranch(7, 'rank')], 1);
		const frame = await getFrame(7);
		const scope = await getScope(frame);
		await client.sendRequest('continue', { threadId: 7 });
		await stopAtBranches([createBranch(7, 'rank')], 2);
		assert.notEqual(await getScope(await getFrame(7)), scope);
		assert.equal((await client.sendRequest('setVariable', { variablesReference: scope, name: 'v', value: '2' })).success, false);
	});

	it('belong to one branch, so that a typed value gets the type of that branch', async () => {
		await client.startSession();
		const set: unknown[] = [];
		client.createResponse = (command: DebugCommand) => {
			if (command.command === 'set_variable') {
				set.push(command.value);
				return createValue('5', 'string');
			}
			return command.command === 'scopes'
				? { scopes: [{ name: 'Inputs', path: ['inputs'], children: 1 }] }
				: { variables: [createValue('1', 'branch' in command && command.branch === 7 ? 'string' : 'number')], total: 1 };
		};
		await stopAtBranches([createBranch(7, 'rank'), createBranch(8, 'end')], 1);
		const references = [await getScope(await getFrame(7)), await getScope(await getFrame(8))];
		for (const variablesReference of references) {
			await client.sendRequest('variables', { variablesReference });
		}
		for (const variablesReference of references) {
			await client.sendRequest('setVariable', { variablesReference, name: 'v', value: '5' });
		}
		assert.deepEqual(set, ['5', 5]);
	});

	it('show editable strings completely, and refuse an edit of a shortened one', async () => {
		await client.startSession();
		const long = `${'word '.repeat(60)}"end"\n`;
		const huge = 'x'.repeat(5000);
		client.createResponse = ({ command }) =>
			command === 'scopes'
				? { scopes: [{ name: 'Inputs', path: ['inputs'], children: 1 }] }
				: {
						variables: [
							createValue(`${JSON.stringify(long).slice(0, 200)}…`, 'string', { value: long }),
							createValue(`"${huge.slice(0, 199)}…`, 'string', { value: huge, name: 'w', path: ['inputs', 'w'] }),
						],
						total: 2,
					};
		await stopAtBranches([createBranch(7, 'rank')], 1);
		const variablesReference = await getScope(await getFrame(7));
		const { body } = await client.sendRequest<DebugProtocol.VariablesResponse>('variables', { variablesReference });
		assert.equal(JSON.parse(body.variables[0]?.value ?? ''), long);
		const before = client.asked.length;
		const refused = await client.sendRequest('setVariable', { variablesReference, name: 'w', value: `y${body.variables[1]?.value}` });
		assert.match(refused.message ?? '', /too long to edit here/);
		assert.equal(client.asked.length, before, 'nothing was sent');
	});

	it('reject invalid breakpoints without affecting valid ones', async () => {
		await client.startSession();
		const breakpoints = [
			{ line: 9, hitCondition: 'often' },
			{ line: 9, hitCondition: '9'.repeat(200) },
			{ line: 9, condition: 'x'.repeat(20_000) },
			{ line: 9, hitCondition: ' ', condition: 'true' },
			{ line: 13, hitCondition: '>= 2' },
		];
		const { body } = await client.sendRequest<DebugProtocol.SetBreakpointsResponse>('setBreakpoints', {
			source: { path: agentPath },
			breakpoints,
		});
		assert.deepEqual(
			body.breakpoints.map(({ verified, message }) => (verified ? '' : message?.split('.')[0])),
			["The hit count isn't valid", "The hit count isn't valid", 'The condition or log message is too long', '', ''],
		);
		assert.deepEqual(client.asked.at(-1), {
			command: 'set_breakpoints',
			breakpoints: [
				{ id: '4', node: 'start', condition: 'true' },
				{ id: '5', node: 'rank', hit_condition: '>= 2' },
			],
			failures: ['run'],
		});
	});
});
