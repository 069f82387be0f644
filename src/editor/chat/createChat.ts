import { ChatCommands } from './chatCommands.ts';
import { ChatHost, type ChatHostOptions } from './chatHost.ts';
import { ChatEditors } from './panel/chatEditors.ts';

/** Creates the chat's host, commands and editors, which load on first use. */
export function createChat(options: ChatHostOptions): { host: ChatHost; commands: ChatCommands; editors: ChatEditors } {
	const host = new ChatHost(options);
	return { host, commands: new ChatCommands(host), editors: new ChatEditors({ ...options, host }) };
}
