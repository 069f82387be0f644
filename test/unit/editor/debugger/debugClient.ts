import assert from 'node:assert/strict';
import type { DebugProtocol } from '@vscode/debugprotocol';
import type { DebugCommand, DebugEvent } from '#contract/debugging.ts';
import type { PartialRun } from '#contract/partialRun.ts';
import { AgentDebugAdapter } from '#editor/debugger/agentDebugAdapter.ts';
import type { DebugHost, PastStep, PreparedDebugRun } from '#editor/debugger/debuggedRun.ts';
import type { DebugLink } from '#editor/debugger/debugLink.ts';
import type { RunClient } from '#runs/following/runFollowerParts.ts';
import type { RunStop } from '#runs/runTypes.ts';

export const agentPath = '/work/agents/sort.yml';
export const toolPath = '/work/agents/helper.yml';

/** Four nodes and a note. No edge leads to `spare`. Lines from 1: `start` 9 to 10, `rank` 11 to 14, `end` 15 to 16, `spare` 19 to 20. */
export const agentText = `app:
  name: sort
  mode: workflow
kind: app
workflow:
  graph:
    edges: [{ source: start, target: rank, sourceHandle: source }, { source: rank, target: end, sourceHandle: source }]
    nodes:
      - id: start
        data: { type: start, title: Start, variables: [] }
      - id: rank
        data:
          type: template-transform
          title: Rank
      - id: end
        data: { type: end, title: End, outputs: [] }
      - id: note
        type: custom-note
      - id: spare
        data: { type: answer, title: Spare, answer: x }
`;

/** Connects a debug adapter to a fake editor and a fake gateway. */
export class DebugClient implements DebugHost {
	readonly adapter: AgentDebugAdapter;
	/** All messages that the adapter sent, in order. */
	readonly sent: DebugProtocol.ProtocolMessage[] = [];
	/** Calls to the gateway in order: `run` with its options, commands, and `stop`. */
	readonly asked: (DebugCommand | { command: 'run'; options: object } | { command: 'stop' })[] = [];
	/** Text of the agent file in the editor. */
	text = agentText;
	/** Text of the tool agent's file. */
	toolText: string | undefined;
	/** Published texts of agents used as tools. Must be filled before the launch. */
	readonly published = new Map<string, string>();
	/** Returns the gateway's response to a command. */
	createResponse: (command: DebugCommand) => unknown = () => ({ result: 'success' });
	run: PreparedDebugRun | undefined;
	stands: (string | undefined)[] = [];
	/** Earlier steps that the status bar showed, and `undefined` for the present. */
	readonly pasts: (PastStep | undefined)[] = [];
	/** True once the gateway has accepted the run. */
	hasStarted = false;
	/** Forks that the session asked for. */
	readonly forks: { part: PartialRun; step: string | undefined }[] = [];
	/** False to cancel forks. */
	canFork = true;
	/** Nodes where branches are paused, as reported to other views. */
	places: RunStop['places'] = [];
	#listener: ((path: string) => void) | undefined;
	#waiting: (() => void)[] = [];
	#sequence = 1;
	#events: (DebugEvent | { event: string })[] = [];
	#wake: (() => void) | undefined;
	#over = false;

	constructor() {
		this.run = {
			agent: 'sort',
			inputs: { text: 'Tides', count: 2 },
			secrets: new Map(),
			agentPath,
			text: this.text,
			tools: new Map([[toolPath, 'helper']]),
			published: this.published,
			start: (link, options) => {
				this.asked.push({ command: 'run', options });
				void this.#followRun(link);
			},
			stop: () => this.asked.push({ command: 'stop' }),
			showPausedAt: stop => {
				this.stands.push(stop?.title);
				this.places = stop?.places ?? [];
			},
		};
		this.adapter = new AgentDebugAdapter(this);
		this.adapter.onDidSendMessage(message => {
			this.sent.push(message as DebugProtocol.ProtocolMessage);
			for (const wake of this.#waiting.splice(0)) {
				wake();
			}
		});
	}

	prepareRun(): Promise<PreparedDebugRun | undefined> {
		return Promise.resolve(this.run);
	}

	onDidChangePast(past: PastStep | undefined): void {
		this.pasts.push(past);
	}

	onDidStart(): void {
		this.hasStarted = true;
	}

	async startFork(part: PartialRun, step: 'over' | 'into' | 'out' | undefined): Promise<boolean> {
		this.forks.push({ part, step });
		return this.canFork;
	}

	readText(path: string): string | undefined {
		return path === agentPath ? this.text : path === toolPath ? this.toolText : undefined;
	}

	onDidChangeText(listener: (path: string) => void): { dispose(): void } {
		this.#listener = listener;
		return { dispose: () => undefined };
	}

	/** Edits the agent file. */
	editAgent(text: string): void {
		this.text = text;
		this.#listener?.(agentPath);
	}

	/** Edits the tool agent's file. */
	editTool(text: string): void {
		this.toolText = text;
		this.#listener?.(toolPath);
	}

	/** Sends an event from the gateway. */
	emitEvent(event: DebugEvent | { event: string }): void {
		this.#events.push(event);
		this.#wake?.();
	}

	/** Ends the gateway's stream. */
	close(): void {
		this.#over = true;
		this.#wake?.();
	}

	/** Reports that the run's only branch is paused before a node. */
	pauseBefore(node: string, more: Partial<(DebugEvent & { event: 'debug_stopped' })['data']> = {}): void {
		const frames = [
			{ kind: 'node', node, title: node },
			{ kind: 'agent', title: 'sort' },
		] as const;
		this.emitEvent({
			event: 'debug_stopped',
			data: { reason: 'step', branch: 7, branches: [{ id: 7, state: 'standing', frames }], ...more },
		});
	}

	/** Sends a request and returns its response, even if the request failed. */
	async sendRequest<R extends DebugProtocol.Response>(command: string, args: object = {}): Promise<R> {
		const seq = this.#sequence++;
		this.adapter.handleMessage({ seq, type: 'request', command, arguments: args } as DebugProtocol.Request);
		return this.waitUntilTrue(() => this.listResponses().find(each => each.request_seq === seq) as R | undefined);
	}

	/** Waits until the adapter has sent this many events of a kind. Returns the last one. */
	event<E extends DebugProtocol.Event>(kind: string, count = 1): Promise<E> {
		return this.waitUntilTrue(() => {
			const found = this.listEvents(kind);
			return found.length >= count ? (found.at(-1) as E) : undefined;
		});
	}

	listEvents(kind: string): DebugProtocol.Event[] {
		return this.sent.filter((each): each is DebugProtocol.Event => each.type === 'event' && (each as DebugProtocol.Event).event === kind);
	}

	/** Starts a session like VS Code does, and waits until the run has started. */
	async startSession(
		lines: readonly number[] = [],
		launch: object = {},
		initialize: object = {},
	): Promise<DebugProtocol.SetBreakpointsResponse> {
		await this.sendRequest('initialize', { adapterID: 'agent', linesStartAt1: true, columnsStartAt1: true, ...initialize });
		await this.sendRequest('launch', launch);
		await this.event('initialized');
		const set = await this.setBreakpoints(lines);
		await this.sendRequest('setExceptionBreakpoints', { filters: ['run'] });
		await this.sendRequest('configurationDone');
		this.emitEvent({ event: 'debug_session', data: { session_id: 's', key: 'k' } });
		return set;
	}

	setBreakpoints(lines: readonly number[], path = agentPath): Promise<DebugProtocol.SetBreakpointsResponse> {
		return this.sendRequest('setBreakpoints', { source: { path }, breakpoints: lines.map(line => ({ line })) });
	}

	listResponses(): DebugProtocol.Response[] {
		return this.sent.filter((each): each is DebugProtocol.Response => each.type === 'response');
	}

	async waitUntilTrue<T>(look: () => T | undefined): Promise<T> {
		for (;;) {
			const found = look();
			if (found !== undefined) {
				return found;
			}
			await new Promise<void>(resolve => {
				this.#waiting.push(resolve);
				setTimeout(resolve, 5);
			});
		}
	}

	async #followRun(link: DebugLink): Promise<void> {
		const events = this.#streamEvents();
		const service = {
			debugRun: () => events,
			sendDebugCommand: async (session: object, command: DebugCommand) => {
				assert.deepEqual(session, { session_id: 's', key: 'k' });
				this.asked.push(command);
				return this.createResponse(command);
			},
		} as unknown as RunClient;
		for await (const _ of link.run(service, { model: 'sort', inputs: {}, user: 'me' }, { signal: new AbortController().signal })) {
			// ignore the events of the run itself
		}
	}

	async *#streamEvents(): AsyncGenerator<DebugEvent | { event: string }> {
		while (!this.#over || this.#events.length > 0) {
			const next = this.#events.shift();
			if (next) {
				yield next;
			} else {
				await new Promise<void>(resolve => {
					this.#wake = resolve;
				});
			}
		}
	}
}
