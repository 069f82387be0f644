import type { MentionTrigger } from '../panel/panelProtocol.ts';

/** Finds what is being typed for a list, from the text before the cursor: a word after `@` or `#`, or a command at the start. */
export function findMention(before: string): { readonly trigger: MentionTrigger; readonly query: string } | undefined {
	const [, trigger, query] = /(?:^|\s)([@#])([^\s@#]{0,100})$/.exec(before) ?? /^(\/)([^\s/]{0,100})$/.exec(before) ?? [];
	return trigger === undefined || query === undefined ? undefined : { trigger: trigger as MentionTrigger, query };
}
