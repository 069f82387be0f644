import type { AppOfDeployment } from './difyTypes.ts';

/** A row of the tree that is an app. */
interface AppRow {
	readonly of: AppOfDeployment;
}

/**
 * What a command is called with, of the tree, where rows of apps become what they stand for: {@link AppOfDeployment}. All else passes as it is.
 */
export function withoutRows(argument: unknown): unknown {
	if (Array.isArray(argument)) {
		return argument.map(withoutRows);
	}
	return isRow(argument) ? argument.of : argument;
}

/** The apps that a command means: all that are selected where the one that it was called on is among them, else that one; none from the palette. */
export function appsNamed(argument: unknown, selected?: unknown): readonly AppOfDeployment[] {
	const first = isApp(argument) ? argument : undefined;
	const others = Array.isArray(selected) ? selected.filter(isApp) : [];
	const isAmong = others.some(({ connectionId, app }) => connectionId === first?.connectionId && app.id === first.app.id);
	return isAmong ? others : first ? [first] : [];
}

function isRow(value: unknown): value is AppRow {
	return typeof value === 'object' && value !== null && 'of' in value && isApp(value.of);
}

function isApp(value: unknown): value is AppOfDeployment {
	return typeof value === 'object' && value !== null && 'connectionId' in value && 'app' in value;
}
