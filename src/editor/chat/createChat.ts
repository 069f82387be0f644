import { ChatCommands } from './chatCommands.ts';
import { ChatHost, type ChatHostOptions } from './chatHost.ts';

/** Creates the chat's host and commands, which load on first use. */
export function createChat(options: ChatHostOptions): { host: ChatHost; commands: ChatCommands } {
	const host = new ChatHost(options);
	return { host, commands: new ChatCommands(host) };
}
