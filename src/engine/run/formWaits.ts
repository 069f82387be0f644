import { randomBytes, randomUUID } from 'node:crypto';
import type { AgentNode } from '../agentFile/agentTypes.ts';
import type { NodeResult } from '../nodes/nodeType.ts';
import { getTimeMs } from './engineTypes.ts';
import type { Execution } from './execution.ts';
import type { FormAnswer, HumanForm, WaitingNode } from './pausedRun.ts';
import type { RunState } from './runState.ts';

/** Nodes of a run that wait for a person, and the responses to forms submitted earlier. */
export class FormWaits {
	readonly #run: RunState;
	readonly #waiting: WaitingNode[] = [];
	/** Nodes that were waiting when the run paused. Their forms aren't requested again. */
	#asked: readonly WaitingNode[] = [];

	constructor(run: RunState) {
		this.#run = run;
	}

	/** Nodes that are currently waiting. */
	get waiting(): readonly WaitingNode[] {
		return this.#waiting;
	}

	/** Restores the nodes that were waiting when the run paused. */
	restoreWaitingNodes(asked: readonly WaitingNode[]): void {
		this.#asked = asked;
	}

	/** Adds a node that waits for this form. */
	add({ node, predecessor }: Execution, form: HumanForm): void {
		const asked = this.#findWaiting(node);
		const waiting = asked ?? {
			node: node.id,
			predecessor,
			// the form is reported and saved, so it must not contain the agent's secrets
			form: this.#run.events.redactSecrets(form),
			formId: randomUUID(),
			token: randomBytes(24).toString('base64url'),
			askedAt: getTimeMs(this.#run.services),
		};
		this.#waiting.push(waiting);
		if (!asked) {
			this.#run.events.emitFormRequired(node, waiting);
		}
	}

	/** Reports the result of a submitted form, if the node was waiting for one. */
	emitAnswer(node: AgentNode, result: NodeResult): void {
		const answer = this.getAnswer(node);
		const asked = answer && this.#findWaiting(node);
		if (asked) {
			this.#run.events.emitFormAnswered(node, result, answer, asked.form);
		}
	}

	/** Returns the response to the node's form. A node ID can equal a property name of Object.prototype. */
	getAnswer({ id }: AgentNode): FormAnswer | undefined {
		const { answers } = this.#run;
		return Object.hasOwn(answers, id) ? answers[id] : undefined;
	}

	#findWaiting({ id }: AgentNode): WaitingNode | undefined {
		return this.#asked.find(waiting => waiting.node === id);
	}
}
