/** An object whose members and calls all return the object itself and do nothing. It isn't a promise. */
// biome-ignore lint/suspicious/noExplicitAny: it replaces values of any type
export const inert: any = new Proxy(class {}, {
	get: (_target, name) => (name === 'then' ? undefined : name === Symbol.toPrimitive ? () => '' : inert),
	apply: () => inert,
	construct: () => inert,
	set: () => true,
});
