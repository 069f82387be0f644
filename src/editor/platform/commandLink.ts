import type { CommandId } from '#base/commandIds.ts';

/**
 * Returns a Markdown link that runs a command. Also escapes the characters that `encodeURIComponent` keeps: a parenthesis in a run's key or a
 * node's ID would end the link.
 */
export function createCommandLink(title: string, command: CommandId, args: readonly unknown[]): string {
	const query = encodeURIComponent(JSON.stringify(args)).replace(/[!'()*]/g, character => `%${character.charCodeAt(0).toString(16)}`);
	return `[${title}](command:${command}?${query})`;
}
