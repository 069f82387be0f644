import { randomBytes, randomUUID } from 'node:crypto';
import type { AgentNode } from '../agentFile/agentTypes.ts';
import type { NodeResult } from '../nodes/nodeType.ts';
import { clockOf } from './engineTypes.ts';
import type { Execution } from './execution.ts';
import type { FormAnswer, HumanForm, WaitingNode } from './pausedRun.ts';
import type { RunState } from './runState.ts';

/** Nodes of a run that wait for a person, and the responses to forms submitted earlier. */
export class FormWaits {
	readonly #run: RunState;
	readonly #waiting: WaitingNode[] = [];
	/** Nodes that were waiting when the run paused. They aren't requested again. */
	#asked: readonly WaitingNode[] = [];

	constructor(run: RunState) {
		this.#run = run;
	}

	/** Nodes that wait now. */
	get waiting(): readonly WaitingNode[] {
		return this.#waiting;
	}

	/** Restores the nodes that were waiting when the run paused. */
	restore(asked: readonly WaitingNode[]): void {
		this.#asked = asked;
	}

	/** Adds a node that waits for this form. */
	add({ node, predecessor }: Execution, form: HumanForm): void {
		const asked = this.#askedOf(node);
		const waiting = asked ?? {
			node: node.id,
			predecessor,
			// reported and saved until it is submitted, so without the agent's secrets
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

	/** Reports the result of a submitted form, if the node was waiting for one. */
	tellAnswer(node: AgentNode, result: NodeResult): void {
		const answer = this.answerOf(node);
		const asked = answer && this.#askedOf(node);
		if (asked) {
			this.#run.events.formAnswered(node, result, answer, asked.form);
		}
	}

	/** Returns the response to the node's form. A node ID can equal a property name of Object.prototype. */
	answerOf({ id }: AgentNode): FormAnswer | undefined {
		const { answers } = this.#run;
		return Object.hasOwn(answers, id) ? answers[id] : undefined;
	}

	#askedOf({ id }: AgentNode): WaitingNode | undefined {
		return this.#asked.find(waiting => waiting.node === id);
	}
}
