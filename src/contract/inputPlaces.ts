/** Placeholder of an input in the content of a form: `{{#$output.NAME#}}`. The first group is the name of the input. */
export const inputPlacePattern = /\{\{#\$output\.([a-zA-Z_][a-zA-Z0-9_]*)#\}\}/g;
