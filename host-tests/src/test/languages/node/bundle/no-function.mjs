export const handlers = { a: 1 };
