import type { NodeContext } from '../nodes/nodeType.ts';
import type { EngineServices, ModelPart, ModelRequest, TextModels } from '../run/engineTypes.ts';
import type { ModelReplyByHand, RunGate } from '../run/gate.ts';
import type { Execute } from '../run/runState.ts';

/** Returns the services of a node, of which some may be replaced. */
export type ReplaceServices = (services: EngineServices, context: NodeContext<never>) => EngineServices;

/** Returns a function that lets the model calls of nodes pass through a gate; undefined if the gate doesn't hold any. */
export function createModelHold(gate: RunGate | undefined): ReplaceServices | undefined {
	return gate?.onModelCall
		? (services, context) => {
				const models = new HeldModels(services.models, gate, context);
				// other services may be accessors of a class
				return new Proxy(services, { get: (target, name) => (name === 'models' ? models : Reflect.get(target, name)) });
			}
		: undefined;
}

/** Wraps `execute` so that nodes get replaced services. */
export function executeWithServices(replace: ReplaceServices, execute: Execute): Execute {
	return context => execute({ ...context, services: replace(context.services, context) });
}

/** Models whose calls wait at a gate. A reply by hand replaces the call. */
class HeldModels implements TextModels {
	readonly #real: TextModels;
	readonly #gate: RunGate;
	readonly #context: NodeContext<never>;

	constructor(real: TextModels, gate: RunGate, context: NodeContext<never>) {
		// an agent that runs as a tool gets the models of its caller, and each of its calls waits once
		this.#real = real instanceof HeldModels ? real.#real : real;
		this.#gate = gate;
		this.#context = context;
	}

	getContextTokens(model: string): number | undefined {
		return this.#real.getContextTokens?.(model);
	}

	async *streamReply(request: ModelRequest, signal: AbortSignal): AsyncGenerator<ModelPart, void> {
		const { caller } = this.#context.run;
		const reply = caller && (await this.#gate.onModelCall?.({ ...caller, request }, signal));
		signal.throwIfAborted();
		if (reply) {
			this.#context.record.answered = true;
			yield* splitReply(reply);
		} else {
			yield* this.#real.streamReply(request, signal);
		}
	}
}

function* splitReply({ text, calls }: ModelReplyByHand): Generator<ModelPart, void> {
	if (text !== '') {
		yield { type: 'text', text };
	}
	for (const [index, { name, input }] of calls.entries()) {
		yield { type: 'call', id: `by_hand_${index + 1}`, name, input };
	}
	yield {
		type: 'finish',
		finishReason: calls.length > 0 ? 'tool_calls' : 'stop',
		usage: { promptTokens: 0, completionTokens: 0 },
		by: 'person',
	};
}
