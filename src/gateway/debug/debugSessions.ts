import { randomBytes, randomUUID, timingSafeEqual } from 'node:crypto';
import { type DebugAnswers, type DebugCommand, type DebugEvent, type DebugOptions, debugPatienceMs } from '#contract/debugging.ts';
import { ServiceFault } from '#contract/faults/serviceFault.ts';
import type { RunGate } from '#engine/run/gate.ts';
import type { Branch } from './branches.ts';
import { DebugSession } from './debugSession.ts';
import { Expressions } from './expressions.ts';
import { Inspection } from './inspection.ts';

/** How often it is looked after sessions whose clients say nothing. Counted, not measured: a machine that slept has not let anybody wait. */
const looksInPatience = 12;

/** A session that is there for one run, until it is disposed of. */
interface OpenSession extends Disposable {
	/** What the run's nodes stand behind. */
	readonly gate: RunGate;
	/** Tells the client who it is. */
	begin(tell: (json: string) => void): void;
	/** Takes what stops the run, for when the client is lost. */
	owns(stop: (why: Error) => void): void;
}

interface Held {
	readonly key: Buffer;
	readonly session: DebugSession;
	readonly inspection: Inspection;
	stop: (why: Error) => void;
	/** How often its client had said nothing while the run stood still. */
	silent: number;
}

/** The debug sessions of a gateway: each has a key of its own, which only the stream of its run tells. */
export class DebugSessions {
	readonly #expressions = new Expressions();
	readonly #sessions = new Map<string, Held>();
	readonly #watch: NodeJS.Timeout;

	/** @param patienceMs after which a run that stands still has lost its client */
	constructor(patienceMs = debugPatienceMs) {
		this.#watch = setInterval(() => this.#look(), patienceMs / looksInPatience).unref();
	}

	/** Opens a session for a run of an agent that is about to start. */
	open(options: DebugOptions, agent: string): OpenSession {
		const id = randomUUID();
		const key = randomBytes(24).toString('base64url');
		const inspection = new Inspection(this.#expressions);
		let tell: (json: string) => void = () => {};
		const session = new DebugSession(options, event => tell(JSON.stringify(event)), inspection.evaluateAt, agent);
		const held: Held = { key: Buffer.from(key), session, inspection, stop: () => {}, silent: 0 };
		return {
			gate: session,
			begin: send => {
				tell = send;
				this.#sessions.set(id, held);
				tell(JSON.stringify({ event: 'debug_session', data: { session_id: id, key } } satisfies DebugEvent));
			},
			owns: stop => {
				held.stop = stop;
			},
			[Symbol.dispose]: () => {
				tell = () => {};
				session.close();
				this.#sessions.delete(id);
			},
		};
	}

	/** Does what a client asks for. Throws a fault: 404 unknown session, 403 another key, 409 where a branch does not stand, 400 for what cannot be. */
	async command(id: string, key: string | undefined, command: DebugCommand): Promise<object> {
		const held = this.#sessions.get(id);
		if (!held) {
			throw new ServiceFault(404, 'There is no such debug session: it ends with the stream of its run.');
		}
		if (!matches(held.key, key ?? '')) {
			throw new ServiceFault(403, 'The key of this debug session is another one: expected the one that its stream told first.');
		}
		held.silent = 0;
		return (await answer(held, command)) ?? { result: 'success' };
	}

	/** Ends what was begun. */
	async close(): Promise<void> {
		clearInterval(this.#watch);
		await this.#expressions.close();
	}

	#look(): void {
		for (const held of this.#sessions.values()) {
			held.silent = held.session.isIdle ? held.silent + 1 : 0;
			if (held.silent >= looksInPatience) {
				held.stop(new Error('The debugger has lost its client: the run stood still and nobody asked for anything.'));
			}
		}
	}
}

function answer({ session, inspection }: Held, command: DebugCommand): object | undefined | Promise<object> {
	switch (command.command) {
		case 'continue':
			return session.continueRun() ?? undefined;
		case 'step':
			return session.step(command.branch, command.how) ?? undefined;
		case 'pause':
			return session.pause() ?? undefined;
		case 'restart':
			return session.restart(command.branch) ?? undefined;
		case 'set_breakpoints':
			session.breakpoints.set(command.breakpoints);
			session.stopAtFailures(command.failures);
			return undefined;
		case 'ping':
			return undefined;
		case 'scopes':
			return inspection.scopes(branchOf(session, command.branch), command);
		case 'variables':
			return inspection.variables(branchOf(session, command.branch), command);
		case 'set_variable':
			if (!session.isStopped) {
				throw new ServiceFault(409, 'The run goes on: values can be set only while it is stopped.');
			}
			return inspection.setVariable(branchOf(session, command.branch), command);
		case 'evaluate':
			return inspection.evaluate(branchOf(session, command.branch), command) satisfies Promise<DebugAnswers['evaluate']>;
		case 'complete':
			return inspection.complete(branchOf(session, command.branch), command);
	}
}

function branchOf(session: DebugSession, id: number): Branch {
	const branch = session.branches.byId(id);
	if (!branch) {
		throw new ServiceFault(409, 'There is no such branch any more: expected one of the last debug_stopped.');
	}
	return branch;
}

/** Compares in a time that tells nothing of where they differ. */
function matches(key: Buffer, given: string): boolean {
	const filled = Buffer.alloc(key.length);
	filled.write(given);
	return timingSafeEqual(filled, key) && Buffer.byteLength(given) === key.length;
}
