/** What is done with each type of message. `Before`: what handlers get before the message, such as the panel that it came from. */
export type Handlers<Message extends { readonly type: string }, Before extends readonly unknown[] = []> = {
	readonly [Type in Message['type']]: (...given: [...Before, message: Extract<Message, { type: Type }>]) => unknown;
};

/** Returns the handler of a message. */
export function handlerOf<Message extends { readonly type: string }, Before extends readonly unknown[] = []>(
	handlers: Handlers<Message, Before>,
	{ type }: Message,
): (...given: [...Before, message: Message]) => unknown {
	// TypeScript doesn't see that the handler of a type takes the messages of that type
	return handlers[type as Message['type']] as (...given: [...Before, message: Message]) => unknown;
}
