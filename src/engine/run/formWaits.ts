import { randomBytes, randomUUID } from 'node:crypto';
import type { AgentNode } from '../agentFile/agentTypes.ts';
import type { NodeResult } from '../nodes/nodeType.ts';
import { clockOf } from './engineTypes.ts';
import type { Execution } from './execution.ts';
import type { FormAnswer, HumanForm, WaitingNode } from './pausedRun.ts';
import type { RunState } from './runState.ts';

/** Nodes of a run that wait for a person, and the answers to those that did. */
export class FormWaits {
	readonly #run: RunState;
	readonly #waiting: WaitingNode[] = [];
	/** Those that waited when the run paused before: they are not asked for again. */
	#asked: readonly WaitingNode[] = [];

	constructor(run: RunState) {
		this.#run = run;
	}

	/** Nodes that wait now. */
	get waiting(): readonly WaitingNode[] {
		return this.#waiting;
	}

	/** The run goes on that paused with these. */
	restore(asked: readonly WaitingNode[]): void {
		this.#asked = asked;
	}

	/** A node waits for this form. */
	add({ node, predecessor }: Execution, form: HumanForm): void {
		const asked = this.#askedOf(node);
		const waiting = asked ?? {
			node: node.id,
			predecessor,
			// told and kept until it is answered: without the agent's secrets
			form: this.#run.events.shown(form),
			formId: randomUUID(),
			token: randomBytes(24).toString('base64url'),
			askedAt: clockOf(this.#run.services),
		};
		this.#waiting.push(waiting);
		if (!asked) {
			this.#run.events.formRequired(node, waiting);
		}
	}

	/** Tells what a node made of its answer, if it had waited for one. */
	tellAnswer(node: AgentNode, result: NodeResult): void {
		const answer = this.answerOf(node);
		const asked = answer && this.#askedOf(node);
		if (asked) {
			this.#run.events.formAnswered(node, result, answer, asked.form);
		}
	}

	/** What became of the node's form; nodes can be called like what every object has. */
	answerOf({ id }: AgentNode): FormAnswer | undefined {
		const { answers } = this.#run;
		return Object.hasOwn(answers, id) ? answers[id] : undefined;
	}

	#askedOf({ id }: AgentNode): WaitingNode | undefined {
		return this.#asked.find(waiting => waiting.node === id);
	}
}
