/** Handlers by message type. `Before`: arguments before the message, such as the panel that sent it. */
export type Handlers<Message extends { readonly type: string }, Before extends readonly unknown[] = []> = {
	readonly [Type in Message['type']]: (...given: [...Before, message: Extract<Message, { type: Type }>]) => unknown;
};

/** Returns the handler of a message. */
export function getHandler<Message extends { readonly type: string }, Before extends readonly unknown[] = []>(
	handlers: Handlers<Message, Before>,
	{ type }: Message,
): (...given: [...Before, message: Message]) => unknown {
	// TypeScript can't infer that a handler accepts messages of its type
	return handlers[type as Message['type']] as (...given: [...Before, message: Message]) => unknown;
}
