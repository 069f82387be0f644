import { getStatusCodicon } from '#runs/events/statusIcons.ts';

/** Returns the CSS classes of a status icon, the same icon as in the tree. */
export function getStatusIconClasses(status: string): string {
	const icon = getStatusCodicon(status);
	return `statusIcon ${status} codicon codicon-${icon}${icon === 'loading' ? ' codicon-modifier-spin' : ''}`;
}
