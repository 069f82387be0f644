/** What is done with each type of message. */
export type Handlers<Message extends { readonly type: string }> = {
	readonly [Type in Message['type']]: (message: Extract<Message, { type: Type }>) => unknown;
};

/** Returns the handler of a message. */
export function handlerOf<Message extends { readonly type: string }>(
	handlers: Handlers<Message>,
	{ type }: Message,
): (message: Message) => unknown {
	// TypeScript doesn't see that the handler of a type takes the messages of that type
	return handlers[type as Message['type']] as (message: Message) => unknown;
}
