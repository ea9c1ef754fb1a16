package dev.leasehold.spring.boot;

import java.io.IOException;
import java.io.InputStream;
import java.lang.reflect.Method;
import java.util.ArrayDeque;
import java.util.Collection;
import java.util.Deque;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;
import org.springframework.asm.ClassReader;
import org.springframework.asm.ClassVisitor;
import org.springframework.asm.Handle;
import org.springframework.asm.Label;
import org.springframework.asm.MethodVisitor;
import org.springframework.asm.Opcodes;
import org.springframework.asm.SpringAsmInfo;
import org.springframework.asm.Type;
import org.springframework.util.ClassUtils;

/**
 * Finds calls of {@code this.leasedMethod()} in the compiled class, its superclasses and its inner classes. It follows the operand stack only
 * within straight code and forgets it at every jump, so it may miss a call, but never reports a call
 * on another object, such as an injected reference to the proxy.
 */
final class SelfInvocations extends ClassVisitor {
    private final Class<?> type;
    private final boolean inner;
    private final Set<String> innerClasses = new TreeSet<>();
    private final Map<String, String> leased = new HashMap<>();
    private final Set<String> found = new TreeSet<>();

    private SelfInvocations(Class<?> type, Collection<Method> methods, boolean inner) {
        super(SpringAsmInfo.ASM_VERSION);
        this.type = type;
        this.inner = inner;
        for (Method method : methods) {
            leased.put(method.getName() + Type.getMethodDescriptor(method), method.getName());
        }
    }

    /** Sentences such as "run() calls report()". */
    static Set<String> in(Class<?> type, Collection<Method> leased) {
        SelfInvocations own = new SelfInvocations(type, leased, false);
        for (Class<?> next = type; next != null && next != Object.class; next = next.getSuperclass()) {
            own.read(ClassUtils.getClassFileName(next), next);
        }
        SelfInvocations ofInner = new SelfInvocations(type, leased, true);
        own.innerClasses.forEach(name -> ofInner.read(name.substring(name.lastIndexOf('/') + 1) + ".class", type));
        own.found.addAll(ofInner.found);
        return own.found;
    }

    /** A class that cannot be read, or of a newer format, tells nothing. */
    private void read(String file, Class<?> beside) {
        try (InputStream bytes = beside.getResourceAsStream(file)) {
            if (bytes != null) {
                new ClassReader(bytes).accept(this, ClassReader.SKIP_DEBUG | ClassReader.SKIP_FRAMES);
            }
        } catch (IOException | IllegalArgumentException e) {
            // Nothing is known about it.
        }
    }

    @Override
    public void visitInnerClass(String name, @Nullable String outer, @Nullable String simple, int access) {
        if (name.startsWith(Type.getInternalName(type) + "$")) {
            innerClasses.add(name);
        }
    }

    @Override
    public @Nullable MethodVisitor visitMethod(
            int access, String name, String descriptor, String signature, String[] exceptions) {
        boolean bridge = (access & Opcodes.ACC_BRIDGE) != 0;
        boolean isStatic = (access & Opcodes.ACC_STATIC) != 0;
        return bridge || isStatic ? null : new Calls(name, name + descriptor);
    }

    private void record(String caller, String owner, String method) {
        String name = leased.get(method);
        boolean ours = owner.equals(Type.getInternalName(type)) || isSuperclass(owner);
        if (name != null && ours) {
            // The compiler names the body of a lambda after the method that contains it.
            String[] parts = caller.split("\\$", -1);
            found.add(
                    (caller.startsWith("lambda$") && parts.length > 1 ? parts[1] : caller) + "() calls " + name + "()");
        }
    }

    private boolean isSuperclass(String owner) {
        for (Class<?> next = type.getSuperclass(); next != null; next = next.getSuperclass()) {
            if (owner.equals(Type.getInternalName(next))) {
                return true;
            }
        }
        return false;
    }

    /** Tracks which values on the operand stack are {@code this}. */
    private final class Calls extends MethodVisitor {
        private final String name;
        private final String self;
        private final Deque<Boolean> stack = new ArrayDeque<>();

        Calls(String name, String self) {
            super(SpringAsmInfo.ASM_VERSION);
            this.name = name;
            this.self = self;
        }

        private boolean pop() {
            Boolean top = stack.pollLast();
            return top != null && top;
        }

        private void popArguments(String descriptor) {
            for (int i = Type.getArgumentTypes(descriptor).length; i > 0; i--) {
                pop();
            }
        }

        private void pushResult(String descriptor) {
            if (Type.getReturnType(descriptor).getSort() != Type.VOID) {
                stack.addLast(false);
            }
        }

        @Override
        public void visitVarInsn(int opcode, int variable) {
            if (opcode >= Opcodes.ILOAD && opcode <= Opcodes.ALOAD) {
                stack.addLast(!inner && opcode == Opcodes.ALOAD && variable == 0);
            } else {
                pop();
            }
        }

        @Override
        public void visitMethodInsn(int opcode, String owner, String method, String descriptor, boolean isInterface) {
            popArguments(descriptor);
            boolean onThis = opcode != Opcodes.INVOKESTATIC && pop();
            // A method that overrides another may call it with super: that is no new call of the method.
            boolean callsSuper = opcode == Opcodes.INVOKESPECIAL && self.equals(method + descriptor);
            if (onThis && !callsSuper) {
                record(name, owner, method + descriptor);
            }
            pushResult(descriptor);
        }

        @Override
        public void visitInvokeDynamicInsn(String method, String descriptor, Handle bootstrap, Object... arguments) {
            boolean captures = stack.peekLast() != null && stack.peekLast();
            for (Object argument : arguments) {
                if (captures && argument instanceof Handle handle) {
                    record(name, handle.getOwner(), handle.getName() + handle.getDesc());
                }
            }
            popArguments(descriptor);
            pushResult(descriptor);
        }

        @Override
        public void visitFieldInsn(int opcode, String owner, String field, String descriptor) {
            if (opcode == Opcodes.PUTFIELD || opcode == Opcodes.PUTSTATIC) {
                pop();
            }
            if (opcode == Opcodes.PUTFIELD || opcode == Opcodes.GETFIELD) {
                pop();
            }
            if (opcode == Opcodes.GETFIELD || opcode == Opcodes.GETSTATIC) {
                // The compiler's name for the object around an inner one.
                stack.addLast(inner && field.startsWith("this$") && descriptor.equals(Type.getDescriptor(type)));
            }
        }

        @Override
        public void visitTypeInsn(int opcode, String operand) {
            if (opcode == Opcodes.NEW) {
                stack.addLast(false);
            } else if (opcode != Opcodes.CHECKCAST) {
                pop();
                stack.addLast(false);
            }
        }

        @Override
        public void visitInsn(int opcode) {
            if (opcode == Opcodes.DUP) {
                boolean top = pop();
                stack.addLast(top);
                stack.addLast(top);
            } else if (opcode == Opcodes.POP) {
                pop();
            } else if (opcode <= Opcodes.DCONST_1) {
                stack.addLast(false);
            } else if (opcode >= Opcodes.I2L && opcode <= Opcodes.I2S) {
                pop();
                stack.addLast(false);
            } else {
                forget();
            }
        }

        @Override
        public void visitIntInsn(int opcode, int operand) {
            if (opcode == Opcodes.NEWARRAY) {
                pop();
            }
            stack.addLast(false);
        }

        @Override
        public void visitLdcInsn(Object value) {
            stack.addLast(false);
        }

        @Override
        public void visitJumpInsn(int opcode, Label label) {
            forget();
        }

        @Override
        public void visitLabel(Label label) {
            forget();
        }

        @Override
        public void visitMultiANewArrayInsn(String descriptor, int dimensions) {
            forget();
        }

        /** What lies below is unknown; an unknown value is never taken for this. */
        private void forget() {
            stack.clear();
        }
    }
}
