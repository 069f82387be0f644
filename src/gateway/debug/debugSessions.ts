import { randomBytes, randomUUID, timingSafeEqual } from 'node:crypto';
import { localizable } from '#base/text/localizableMessage.ts';
import type { DebugAnswers } from '#contract/debugAnswers.ts';
import { type DebugCommand, type DebugEvent, type DebugOptions, debugPatienceMs } from '#contract/debugging.ts';
import { ServiceFault } from '#contract/faults/serviceFault.ts';
import type { RunGate } from '#engine/run/gate.ts';
import { DebugSession } from './debugSession.ts';
import { Expressions } from './expressions.ts';
import { Inspection } from './inspection.ts';
import { describeModelCall, getPausedCall } from './modelCalls.ts';
import { TimeTravel } from './timeTravel.ts';

/**
 * Number of checks after which a silent client counts as lost. Checks are counted instead of measuring time, which also passes while the
 * machine sleeps.
 */
const looksInPatience = 12;

/** A session for one run, until it's disposed of. */
interface OpenSession extends Disposable {
	/** Gate for the run's nodes. */
	readonly gate: RunGate;
	/** Sends the session's ID and key to the client. */
	begin(tell: (json: string) => void): void;
	/** Sets the function that stops the run when its client is lost. */
	setStop(stop: (why: Error) => void): void;
}

interface Held {
	readonly key: Buffer;
	readonly session: DebugSession;
	readonly travel: TimeTravel;
	readonly inspection: Inspection;
	stop: (why: Error) => void;
	/** Number of checks in a row without a command while the run was idle. */
	silent: number;
}

/** The debug sessions of a gateway. Each has a separate key, which is sent only in the stream of its run. */
export class DebugSessions {
	readonly #expressions = new Expressions();
	readonly #sessions = new Map<string, Held>();
	readonly #watch: NodeJS.Timeout;

	/** @param patienceMs time without commands after which a stopped run counts as having lost its client */
	constructor(patienceMs = debugPatienceMs) {
		this.#watch = setInterval(() => this.#stopLostSessions(), patienceMs / looksInPatience).unref();
	}

	/** Opens a session for a run that is about to start. */
	openSession(options: DebugOptions, agent: string): OpenSession {
		const id = randomUUID();
		const key = randomBytes(24).toString('base64url');
		const inspection = new Inspection(this.#expressions);
		let emit: (json: string) => void = () => {};
		const emitEvent = (event: DebugEvent) => emit(JSON.stringify(event));
		const session = new DebugSession(options, emitEvent, inspection.evaluateAt, agent);
		const travel = new TimeTravel(session, emitEvent, inspection.evaluateAt);
		const held: Held = { key: Buffer.from(key), session, travel, inspection, stop: () => {}, silent: 0 };
		return {
			gate: session,
			begin: send => {
				emit = send;
				this.#sessions.set(id, held);
				emit(JSON.stringify({ event: 'debug_session', data: { session_id: id, key } } satisfies DebugEvent));
			},
			setStop: stop => {
				held.stop = stop;
			},
			[Symbol.dispose]: () => {
				emit = () => {};
				session.close();
				this.#sessions.delete(id);
			},
		};
	}

	/**
	 * Executes a client's command. Throws an error: 404 unknown session, 403 wrong key, 409 if a branch isn't paused, 400 for an invalid
	 * request.
	 */
	async executeCommand(id: string, key: string | undefined, command: DebugCommand): Promise<object> {
		const held = this.#sessions.get(id);
		if (!held) {
			throw new ServiceFault(404, localizable`Unknown debug session. It may have ended with its run.`);
		}
		if (!isSameKey(held.key, key ?? '')) {
			throw new ServiceFault(403, localizable`Wrong key for this debug session. Expected the key from the first event of its stream.`);
		}
		held.silent = 0;
		return (await executeCommand(held, command)) ?? { result: 'success' };
	}

	/** Stops the threads that evaluate expressions. */
	async close(): Promise<void> {
		clearInterval(this.#watch);
		await this.#expressions.close();
	}

	#stopLostSessions(): void {
		for (const held of this.#sessions.values()) {
			held.silent = held.session.isIdle ? held.silent + 1 : 0;
			if (held.silent >= looksInPatience) {
				held.stop(new Error('The debug client disconnected. The run was paused and no command arrived.'));
			}
		}
	}
}

function executeCommand(held: Held, command: DebugCommand): object | undefined | Promise<object> {
	const { session, travel, inspection } = held;
	switch (command.command) {
		case 'continue':
			return travel.continueRun() ?? undefined;
		case 'step':
			return travel.stepBranch(command.branch, command.how) ?? undefined;
		case 'step_back':
			return travel.stepBack(command.branch) ?? undefined;
		case 'reverse':
			return travel.reverse() ?? undefined;
		case 'present':
			return travel.returnToPresent() ?? undefined;
		case 'pause':
			return travel.pauseRun() ?? undefined;
		case 'restart':
			return travel.restartNode(command.branch) ?? undefined;
		case 'fork':
			return { part: travel.createFork() } satisfies DebugAnswers['fork'];
		case 'set_breakpoints':
			session.breakpoints.set(command.breakpoints);
			session.failureStops.wanted = new Set(command.failures);
			session.modelCalls.isHolding = command.model_calls === true;
			return undefined;
		case 'model_call':
			return describeModelCall(getPausedCall(session.branches.findBranchById(command.branch)));
		case 'answer':
			travel.requirePresent();
			return session.modelCalls.answerCall(command.branch, command.call, command.reply).then(() => ({ result: 'success' }));
		case 'ping':
			return undefined;
		case 'scopes':
			return inspection.getScopes(travel.getBranch(command.branch), command);
		case 'variables':
			return inspection.getVariables(travel.getBranch(command.branch), command);
		case 'set_variable':
			return setVariable(held, command);
		case 'evaluate':
			return inspection.evaluateExpression(travel.getBranch(command.branch), command) satisfies Promise<DebugAnswers['evaluate']>;
		case 'complete':
			return inspection.completeExpression(travel.getBranch(command.branch), command);
	}
}

function setVariable({ session, travel, inspection }: Held, command: Extract<DebugCommand, { command: 'set_variable' }>): object {
	if (!session.isStopped) {
		throw new ServiceFault(409, localizable`Values can only be set while the run is paused.`);
	}
	const set = inspection.setVariable(travel.getBranch(command.branch), command, travel.changes);
	travel.reportChanges();
	return set;
}

/** Compares keys in constant time. */
function isSameKey(key: Buffer, given: string): boolean {
	const filled = Buffer.alloc(key.length);
	filled.write(given);
	return timingSafeEqual(filled, key) && Buffer.byteLength(given) === key.length;
}
