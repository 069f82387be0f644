import { ChatCommands } from './chatCommands.ts';
import { ChatHost, type ChatHostOptions } from './chatHost.ts';

/** The chat's code that is loaded on first use: its host side and its commands. */
export function createChat(options: ChatHostOptions): { host: ChatHost; commands: ChatCommands } {
	const host = new ChatHost(options);
	return { host, commands: new ChatCommands(host) };
}
