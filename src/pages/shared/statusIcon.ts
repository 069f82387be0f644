import { statusCodicon } from '#runs/events/statusIcons.ts';

/** Classes of the icon of a status, the same as the tree's. */
export function statusIcon(status: string): string {
	const icon = statusCodicon(status);
	return `statusIcon ${status} codicon codicon-${icon}${icon === 'loading' ? ' codicon-modifier-spin' : ''}`;
}
