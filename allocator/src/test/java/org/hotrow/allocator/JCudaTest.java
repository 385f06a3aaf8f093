package org.hotrow.allocator;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;

import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.lang.ArchRule;

/** JCuda is touched by one class, and that class by nobody but the factory method that asks for it. */
@AnalyzeClasses(packages = "org.hotrow.allocator", importOptions = ImportOption.DoNotIncludeTests.class)
class JCudaTest {
    @ArchTest
    static final ArchRule ONE_CLASS_TOUCHES_JCUDA = noClasses()
            .that()
            .haveNameNotMatching(".*PinnedHostMemory(\\$.*)?")
            .should()
            .dependOnClassesThat()
            .resideInAPackage("jcuda..");

    @ArchTest
    static final ArchRule ONLY_THE_FACTORY_NAMES_IT = noClasses()
            .that()
            .haveNameNotMatching(".*PinnedHostMemory(\\$.*)?")
            .and()
            .doNotHaveSimpleName("HostMemory")
            .should()
            .dependOnClassesThat()
            .haveSimpleName("PinnedHostMemory");
}
